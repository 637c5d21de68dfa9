package org.daqfabric.impl.engine.identity;

import java.util.Collection;
import org.daqfabric.api.spec.FabricSpec;

/** The name that the certificate of a node must have. */
public final class NodeCertificate {
    private NodeCertificate() {
    }

    /** What the switches of a node say in any fabric; the node's system-id if they say nothing. */
    public static String nameOf(Collection<FabricSpec> fabrics, String systemId) {
        return fabrics.stream().flatMap(fabric -> fabric.switches().stream())
            .filter(each -> each.systemId().equals(systemId))
            .flatMap(each -> each.certificateName().stream()).findFirst().orElse(systemId);
    }
}
