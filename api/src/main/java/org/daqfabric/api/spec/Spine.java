package org.daqfabric.api.spec;

/**
 * A spine of a plane.
 *
 * @param id from 1, unique in its plane
 */
public record Spine(int id, String switchName) {
}
