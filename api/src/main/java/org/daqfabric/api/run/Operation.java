package org.daqfabric.api.run;

/**
 * Work that a request started and that continues after the answer.
 *
 * @param rpc name of the rpc
 * @param progress percentage of the needed switches that confirmed their programs
 * @param detail what it waits for, or what is missing
 */
public record Operation(String requestId, String rpc, Status status, int progress, String detail) {
    public enum Status { RUNNING, DONE, FAILED }

    public boolean isRunning() {
        return status == Status.RUNNING;
    }
}
