package org.daqfabric.impl.ovsdb;

import java.util.SortedMap;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;

/**
 * A node as it is just now.
 *
 * @param bfd by port; empty unless the node answered
 */
public record NodeReport(DiagnosisInput.Node node, SortedMap<String, DiagnosisInput.Bfd> bfd) {
}
