package org.daqfabric.api.spec;

/** The leaf of a plane for one pod. */
public record Leaf(int pod, String switchName) {
}
