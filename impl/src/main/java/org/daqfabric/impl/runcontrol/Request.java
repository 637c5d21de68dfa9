package org.daqfabric.impl.runcontrol;

import java.util.Optional;
import java.util.SortedSet;
import org.daqfabric.api.run.Selection;

/**
 * A request of a run controller.
 *
 * <p>Its {@code toString} is stored with the answer and tells a repeated request from a different one with the same id:
 * the names of these records, of {@link Selection} and of their components are part of the stored form
 * ({@code StoredNamesTest}).
 */
public sealed interface Request {
    String id();

    String partition();

    /** Name of the rpc. */
    default String rpc() {
        return switch (this) {
            case Prepare unused -> "prepare";
            case Enable unused -> "enable";
            case Disable unused -> "disable";
            case Arm unused -> "arm";
            case Start unused -> "start-run";
            case Stop unused -> "stop-run";
            case Release unused -> "release";
            case Abort unused -> "abort";
        };
    }

    /**
     * Asks for a partition.
     *
     * @param ros names; all if empty
     * @param dcms names; all if empty
     * @param required Gbps; 0 for none
     */
    record Prepare(String id, String partition, Optional<String> fabric, String runType, SortedSet<String> ros,
            SortedSet<String> dcms, double required) implements Request {
    }

    record Enable(String id, String partition, Selection added) implements Request {
    }

    record Disable(String id, String partition, Selection taken) implements Request {
    }

    record Arm(String id, String partition, boolean acceptDegraded) implements Request {
    }

    record Start(String id, String partition, long number) implements Request {
    }

    record Stop(String id, String partition) implements Request {
    }

    record Release(String id, String partition) implements Request {
    }

    record Abort(String id, String partition) implements Request {
    }
}
