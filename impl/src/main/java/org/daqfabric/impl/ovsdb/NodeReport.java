package org.daqfabric.impl.ovsdb;

import java.util.SortedMap;
import org.daqfabric.impl.engine.doctor.Picture;

/**
 * A node as it is just now.
 *
 * @param bfd by port; empty unless the node answered
 */
public record NodeReport(Picture.Node node, SortedMap<String, Picture.Bfd> bfd) {
}
