package org.daqfabric.impl.audit;

import javax.servlet.ServletRequest;

/** Marks a request that changes nothing whatever its method is: an rpc that only reads, or one that is refused. */
public final class AuditMark {
    private static final String NAME = "org.daqfabric.changes-nothing";

    private AuditMark() {
    }

    /** Keeps the line about it apart from those of changes, which it must not push out. */
    public static void changesNothing(ServletRequest request) {
        request.setAttribute(NAME, true);
    }

    static boolean isSet(ServletRequest request) {
        return request.getAttribute(NAME) != null;
    }
}
