package org.daqfabric.impl.service;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.daqfabric.api.FabricBackup;
import org.daqfabric.api.FabricService;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.RestoreResult;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.api.history.FabricChanges;
import org.daqfabric.api.history.FabricVersion;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.Schedule;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.program.SwitchRules;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.alarms.AlarmKeeper;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.author.Author;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.LatestStates;
import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.controller.whatif.RuleQueries;
import org.daqfabric.impl.controller.whatif.TrafficQueries;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.doctor.Diagnosis;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.daqfabric.impl.northbound.AdminStates;
import org.daqfabric.impl.northbound.Backups;
import org.daqfabric.impl.northbound.FabricHistory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes requests to the controller and waits for its answers. */
public final class ControllerService implements FabricService {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerService.class);
    /** Reading a thousand switches takes less. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** For how long the doctor measures what a fabric carries, and waits for it. */
    private static final int MEASURED_SECONDS = 3;
    private static final int MEASURED_LIMIT_SECONDS = 10;

    private final FabricManager manager;
    private final LatestStates states;
    private final Supplier<List<PartitionState>> runs;
    private final AdminStates adminStates;
    private final Backups backups;
    private final KnownState known;
    private final AlarmKeeper alarms;
    private final FabricHistory history;
    private final Views views;

    /**
     * What is answered from views of the fabrics.
     *
     * @param networks a fabric as a document of RFC 8345
     */
    public record Views(RuleQueries rules, TrafficQueries traffic, UnaryOperator<String> networks) {
    }

    public ControllerService(FabricManager manager, LatestStates states, Supplier<List<PartitionState>> runs,
            AdminStates adminStates, Backups backups, KnownState known, AlarmKeeper alarms, FabricHistory history,
            Views views) {
        this.manager = manager;
        this.states = states;
        this.runs = runs;
        this.adminStates = adminStates;
        this.backups = backups;
        this.known = known;
        this.alarms = alarms;
        this.history = history;
        this.views = views;
    }

    @Override
    public SortedSet<String> fabrics() {
        return new TreeSet<>(manager.specs().keySet());
    }

    @Override
    public FabricSpec spec(String fabric) {
        try {
            return manager.spec(fabric);
        } catch (InvalidInputException e) {
            throw refused(e);
        }
    }

    @Override
    public FabricState state(String fabric) {
        spec(fabric);
        checkActive();
        return states.of(fabric).orElseThrow(() -> new NotDoneException("fabric " + fabric
            + " has just been configured and has no state yet: try again in a moment"));
    }

    @Override
    public Verification verify(String fabric, Set<String> switches) {
        return await(manager.inspect(fabric, switches, false));
    }

    @Override
    public Verification resync(String fabric, Set<String> switches) {
        return await(manager.inspect(fabric, switches, true));
    }

    @Override
    public int rebalance(String fabric, OptionalInt maxMoves) {
        return await(manager.rebalance(fabric, maxMoves));
    }

    @Override
    public Weights weights(String fabric, int seconds) {
        return await(views.traffic().weights(fabric, seconds, "measured-weights"));
    }

    @Override
    public Effect plan(String fabric, WhatIf question) {
        return await(manager.whatIf().plan(fabric, question));
    }

    @Override
    public TraceResult trace(String fabric, String ros, String dcm, FabricParts fail) {
        return await(manager.whatIf().trace(fabric, ros, dcm, fail));
    }

    @Override
    public Schedule schedule(String fabric) {
        return await(manager.whatIf().schedule(fabric));
    }

    @Override
    public SwitchRules rules(String fabric, String switchName, Optional<Address> address) {
        return await(views.rules().of(fabric, switchName, address));
    }

    @Override
    public String networks(String fabric) {
        spec(fabric);
        checkActive();
        try {
            return views.networks().apply(fabric);
        } catch (InvalidInputException e) {
            throw refused(e);
        }
    }

    @Override
    public void setAdminState(String fabric, FabricParts parts, AdminState state, Optional<FabricSpec> seen) {
        adminStates.set(seen.orElseGet(() -> spec(fabric)), parts, state, seen);
    }

    @Override
    public List<FabricVersion> versions(String fabric) {
        return await(history.versions(fabric));
    }

    @Override
    public FabricSpec version(String fabric, long version) {
        return await(history.spec(fabric, version));
    }

    @Override
    public FabricChanges compare(String fabric, OptionalLong from, OptionalLong to) {
        return await(history.compare(fabric, from, to));
    }

    @Override
    public FabricChanges rollBack(String fabric, long version, Optional<String> user, Optional<String> reason,
            Optional<FabricChanges> seen) {
        return await(history.rollBack(fabric, version, new Author(user, reason), seen));
    }

    @Override
    public List<PartitionState> partitions() {
        checkActive();
        return runs.get();
    }

    @Override
    public List<Advice> examine(Optional<String> fabric) {
        List<FabricSpec> specs = fabric.map(Set::of).orElseGet(() -> Set.copyOf(fabrics())).stream().sorted()
            .map(this::spec).toList();
        checkActive();
        Set<AlarmId> shelved = alarms.now().stream().filter(Alarm::shelved).map(Alarm::id)
            .collect(Collectors.toSet());
        DiagnosisInput input =
            known.whole(specs, fabric, fabric.isPresent() ? List.of() : orphans(), measured(specs));
        alarms.evaluate();
        return Diagnosis.of(input, shelved);
    }

    @Override
    public List<Alarm> alarms() {
        checkActive();
        return alarms.now();
    }

    @Override
    public List<Alarm> setOperatorState(Set<AlarmId> which, OperatorState state, Optional<String> operator,
            String text) {
        return await(alarms.operate(which::contains, state, Author.userText(operator), text));
    }

    @Override
    public int purgeAlarms(Set<AlarmId> which) {
        return await(alarms.purge(each -> which.contains(each.id()))).size();
    }

    @Override
    public List<MarkedBridge> orphans() {
        checkActive();
        return await(manager.orphans().find()).entrySet().stream().filter(each -> !each.getValue())
            .map(Map.Entry::getKey).toList();
    }

    @Override
    public List<PendingRemoval> pendingRemovals() {
        checkActive();
        return states.pending();
    }

    @Override
    public FabricBackup backup() {
        return await(backups.take());
    }

    @Override
    public RestoreResult restore(String backup, boolean replace) {
        return await(backups.restore(backup, replace));
    }

    /** Weights of those fabrics that carry something, as far as switches tell in time. */
    private Map<String, Weights> measured(List<FabricSpec> specs) {
        Map<String, CompletableFuture<Optional<Weights>>> asked = new TreeMap<>();
        specs.stream().filter(spec -> states.of(spec.name())
            .map(state -> Diagnosis.carriesEvents(spec, state)).orElse(false))
            .forEach(spec -> asked.put(spec.name(), views.traffic().weights(spec.name(), MEASURED_SECONDS, "")
                .thenApply(Optional::of).toCompletableFuture()
                .completeOnTimeout(Optional.empty(), MEASURED_LIMIT_SECONDS, TimeUnit.SECONDS)
                .exceptionally(failure -> Optional.empty())));
        Map<String, Weights> measured = new TreeMap<>();
        asked.forEach((name, weights) -> weights.join().ifPresent(each -> measured.put(name, each)));
        return measured;
    }

    /** Refuses on a standby member of a cluster: the active member has the state. */
    private void checkActive() {
        manager.standbyReason().ifPresent(why -> {
            throw new NotDoneException(why);
        });
    }

    @SuppressWarnings("checkstyle:avoidHidingCauseException") // `refused` keeps what the cause says
    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotDoneException("interrupted; the operation continues", e);
        } catch (TimeoutException e) {
            throw new NotDoneException("no answer for " + TIMEOUT.toMinutes() + " minutes; the operation continues: see"
                + " daqfabric:doctor", e);
        } catch (ExecutionException e) {
            throw refused(Causes.of(e.getCause()));
        }
    }

    /** The failure without locations in an input tree, which callers of a Java service do not have. */
    private static NotDoneException refused(Throwable failure) {
        return switch (failure) {
            case InvalidInputException invalid -> new NotDoneException(invalid.getMessage(), invalid);
            case StandbyException standby -> new NotDoneException(standby.getMessage(), standby);
            case FrozenException frozen -> new NotDoneException(frozen.getMessage(), frozen);
            default -> {
                LOG.error("An operation failed", failure);
                yield new NotDoneException("failed: " + failure + "; the log has more", failure);
            }
        };
    }
}
