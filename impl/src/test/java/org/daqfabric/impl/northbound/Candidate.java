package org.daqfabric.impl.northbound;

import org.opendaylight.mdsal.dom.api.DOMDataTreeCandidate;
import org.opendaylight.mdsal.dom.api.DOMDataTreeIdentifier;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeCandidateNode;

/** A change as a commit cohort sees it, from its own root. */
public record Candidate(DOMDataTreeIdentifier getRootPath, DataTreeCandidateNode getRootNode)
        implements DOMDataTreeCandidate {
}
