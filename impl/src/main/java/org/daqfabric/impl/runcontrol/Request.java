package org.daqfabric.impl.runcontrol;

import java.util.Optional;
import java.util.SortedSet;
import org.daqfabric.api.run.Selection;

/** What a run controller asks. Its toString tells two different requests apart. */
public sealed interface Request {
    String id();

    String partition();

    /** The rpc's name. */
    String rpc();

    /**
     * @param ros names; all if empty
     * @param dcms names; all if empty
     * @param required Gbps; 0 for none
     */
    record Prepare(String id, String partition, Optional<String> fabric, String runType, SortedSet<String> ros,
            SortedSet<String> dcms, double required) implements Request {
        @Override
        public String rpc() {
            return "prepare";
        }
    }

    record Enable(String id, String partition, Selection added) implements Request {
        @Override
        public String rpc() {
            return "enable";
        }
    }

    record Disable(String id, String partition, Selection taken) implements Request {
        @Override
        public String rpc() {
            return "disable";
        }
    }

    record Arm(String id, String partition, boolean acceptDegraded) implements Request {
        @Override
        public String rpc() {
            return "arm";
        }
    }

    record Start(String id, String partition, long number) implements Request {
        @Override
        public String rpc() {
            return "start-run";
        }
    }

    record Stop(String id, String partition) implements Request {
        @Override
        public String rpc() {
            return "stop-run";
        }
    }

    record Release(String id, String partition) implements Request {
        @Override
        public String rpc() {
            return "release";
        }
    }

    record Abort(String id, String partition) implements Request {
        @Override
        public String rpc() {
            return "abort";
        }
    }
}
