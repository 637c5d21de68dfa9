package org.daqfabric.api.run;

/**
 * Work that a request began.
 *
 * @param rpc what was asked, as the rpc is called
 * @param progress percent of the switches needed that confirmed their programs
 * @param detail what it waits for, or what is missing
 */
public record Operation(String requestId, String rpc, Status status, int progress, String detail) {
    public enum Status { RUNNING, DONE, FAILED }

    public boolean isRunning() {
        return status == Status.RUNNING;
    }
}
