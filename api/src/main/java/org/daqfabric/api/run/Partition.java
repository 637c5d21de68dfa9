package org.daqfabric.api.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one run controller runs at a time. Everything here is stored and survives a restart.
 *
 * @param fabric the fabric it uses; empty before it is first prepared
 * @param since when it entered its state
 * @param reason why it is in error and what to do; empty otherwise
 * @param runType for people to read; may be empty
 * @param selection the enabled ROS and DCMs; none while idle
 * @param required Gbps towards its DCMs together; 0 for none
 * @param acceptDegraded whether it was armed despite concerns that are not severe
 * @param operation the newest operation
 * @param run the newest run
 * @param answers the newest last, at most {@link #REMEMBERED}
 */
public record Partition(String name, String fabric, RunState state, Instant since, String reason, String runType,
        Selection selection, double required, boolean acceptDegraded, Optional<Operation> operation,
        Optional<RunRecord> run, List<Answer> answers) {
    public static final int REMEMBERED = 32;

    public Partition {
        answers = List.copyOf(answers);
    }

    /** A partition before its first request. */
    public static Partition idle(String name, Instant now) {
        return new Partition(name, "", RunState.IDLE, now, "", "", Selection.NONE, 0, false, Optional.empty(),
            Optional.empty(), List.of());
    }

    /** The partition in state prepared, with selected ROS and DCMs and a new operation. */
    public Partition prepared(String ofFabric, String type, Selection chosen, double gbps, Operation work,
            Instant now) {
        return new Partition(name, ofFabric, RunState.PREPARED, state == RunState.PREPARED ? since : now, "", type,
            chosen, gbps, false, Optional.of(work), run, answers);
    }

    public Partition armed(boolean withDegraded, Instant now) {
        return new Partition(name, fabric, RunState.READY, now, "", runType, selection, required, withDegraded,
            operation, run, answers);
    }

    public Partition started(RunRecord begun, Instant now) {
        return new Partition(name, fabric, RunState.RUNNING, now, "", runType, selection, required, acceptDegraded,
            operation, Optional.of(begun), answers);
    }

    public Partition stopped(Instant now) {
        return new Partition(name, fabric, RunState.READY, now, "", runType, selection, required, acceptDegraded,
            operation, run.map(begun -> begun.end(now, false)), answers);
    }

    /** The partition in state idle; a run in progress and a running operation are aborted. */
    public Partition released(Instant now) {
        return new Partition(name, fabric, RunState.IDLE, now, "", "", Selection.NONE, 0, false,
            operation.map(work -> work.isRunning() ? new Operation(work.requestId(), work.rpc(),
                Operation.Status.FAILED, work.progress(), "released before it was done") : work),
            run.map(begun -> state == RunState.RUNNING ? begun.end(now, true) : begun), answers);
    }

    public Partition failed(String why, Instant now) {
        return new Partition(name, fabric, RunState.ERROR, now, why, runType, selection, required, false,
            operation.map(work -> work.isRunning() ? new Operation(work.requestId(), work.rpc(),
                Operation.Status.FAILED, work.progress(), why) : work), run, answers);
    }

    public Partition with(Operation work) {
        return new Partition(name, fabric, state, since, reason, runType, selection, required, acceptDegraded,
            Optional.of(work), run, answers);
    }

    public Partition with(RunRecord record) {
        return new Partition(name, fabric, state, since, reason, runType, selection, required, acceptDegraded,
            operation, Optional.of(record), answers);
    }

    public Partition with(Answer answer) {
        List<Answer> all = new ArrayList<>(answers);
        all.add(answer);
        return new Partition(name, fabric, state, since, reason, runType, selection, required, acceptDegraded,
            operation, run, all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
    }

    public boolean isIdle() {
        return state == RunState.IDLE;
    }

    public boolean isRunning() {
        return state == RunState.RUNNING;
    }

    /** Whether an operation is running. */
    public boolean works() {
        return operation.filter(Operation::isRunning).isPresent();
    }
}
