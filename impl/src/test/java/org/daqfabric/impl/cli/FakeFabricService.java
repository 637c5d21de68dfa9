package org.daqfabric.impl.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.BackupContents;
import org.daqfabric.api.FabricBackup;
import org.daqfabric.api.FabricService;
import org.daqfabric.api.RestoreResult;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.api.history.Difference;
import org.daqfabric.api.history.FabricChanges;
import org.daqfabric.api.history.FabricVersion;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.Effect.Count;
import org.daqfabric.api.plan.Effect.CutOff;
import org.daqfabric.api.plan.Effect.Move;
import org.daqfabric.api.plan.Effect.Place;
import org.daqfabric.api.plan.Effect.SwitchChange;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.Schedule;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.TraceResult.Hop;
import org.daqfabric.api.plan.TraceResult.Hops;
import org.daqfabric.api.plan.TraceResult.Way;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.program.SwitchRules;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.api.state.Verification;

/** A service with fabrics that do not change; records the requests it gets. */
final class FakeFabricService implements FabricService {
    private static final Effect EFFECT = new Effect(9, List.of(new SwitchChange("leaf-1-1", Optional.empty(),
        new Count(3, 0, 2), new Count(0, 4, 0), Count.NONE, Count.NONE, 9)),
        List.of(new Move("dcm-1", new Place(1, OptionalInt.of(1)), new Place(1, OptionalInt.of(2))),
            new Move("dcm-2", new Place(1, OptionalInt.of(1)), new Place(1, OptionalInt.of(2))),
            new Move("dcm-3", new Place(2, OptionalInt.empty()), new Place(0, OptionalInt.empty()))),
        List.of(new CutOff("dcm-3", 0)), new Capacity(20, 20, "a:b -> c:d", 1), new Capacity(10, 20, "", 0.5));

    final SortedMap<String, FabricSpec> specs = new TreeMap<>();
    final List<String> requests = new ArrayList<>();
    RuntimeException failure;
    List<PendingRemoval> pending = List.of();
    SwitchRules rules = new SwitchRules("leaf-1-1", List.of(), "", 0);
    List<Alarm> alarms = List.of();
    TraceResult traced = new TraceResult(new Way(hops(""), hops("")), Optional.empty(), Optional.empty());
    Schedule scheduled = new Schedule(3, 7, 6, "ros-1-01 sends", 10, 42, 1, new TreeMap<>(Map.of("ros-1-01",
        List.of("dcm-1-02-001", "", "dcm-1-03-001", "", "", "", "dcm-1-04-001"))));
    Verification verification = new Verification(List.of(), List.of(), 0, 1, List.of());

    @Override
    public SortedSet<String> fabrics() {
        return new TreeSet<>(specs.keySet());
    }

    @Override
    public FabricSpec spec(String fabric) {
        return specs.get(fabric);
    }

    @Override
    public FabricState state(String fabric) {
        if (failure != null) {
            throw failure;
        }
        return ShellStates.converged(specs.get(fabric));
    }

    @Override
    public Verification verify(String fabric, Set<String> switches) {
        requests.add("verify " + fabric + " " + new TreeSet<>(switches));
        return verification;
    }

    @Override
    public Verification resync(String fabric, Set<String> switches) {
        requests.add("resync " + fabric + " " + new TreeSet<>(switches));
        return verification;
    }

    @Override
    public int rebalance(String fabric, OptionalInt most) {
        requests.add("rebalance " + fabric + " " + most);
        return 2;
    }

    @Override
    public Weights weights(String fabric, int seconds) {
        requests.add("weights " + seconds);
        return new Weights(new TreeMap<>(), new TreeMap<>(Map.of("dcm-1-01-002", 1.9, "dcm-1-01-001", 0.1)),
            12, "", 18);
    }

    @Override
    public Effect plan(String fabric, WhatIf question) {
        requests.add("plan " + question.drain() + question.undrain() + question.fail());
        return EFFECT;
    }

    @Override
    public TraceResult trace(String fabric, String ros, String dcm, FabricParts fail) {
        requests.add("trace " + ros + " " + dcm + " " + fail);
        return traced;
    }

    @Override
    public Schedule schedule(String fabric) {
        return scheduled;
    }

    @Override
    public SwitchRules rules(String fabric, String switchName, Optional<Address> address) {
        requests.add("rules " + switchName + " " + address);
        return rules;
    }

    @Override
    public String networks(String fabric) {
        return "{\"ietf-network:networks\":{}}";
    }

    @Override
    public void setAdminState(String fabric, FabricParts parts, AdminState state, Optional<FabricSpec> seen) {
        if (failure != null) {
            throw failure;
        }
        requests.add(state + " " + parts + seen.map(spec -> " seen " + spec.name()).orElse(""));
    }

    @Override
    public List<FabricVersion> versions(String fabric) {
        return List.of(new FabricVersion(2, ShellStates.SINCE, Optional.of("admin@sdn"), Optional.of("new cables"),
            "2 links drained", false), new FabricVersion(1, ShellStates.SINCE, Optional.empty(), Optional.empty(),
            "fabric added: 2 planes", false));
    }

    @Override
    public FabricSpec version(String fabric, long version) {
        requests.add("version " + version);
        return specs.get(fabric);
    }

    @Override
    public FabricChanges compare(String fabric, OptionalLong from, OptionalLong to) {
        requests.add("compare " + from + " " + to);
        return new FabricChanges("2 links drained", List.of(new Difference("link a:b", Optional.of("admin-state"),
            Optional.of("in-service"), Optional.of("drained"))));
    }

    @Override
    public FabricChanges rollBack(String fabric, long version, Optional<String> user, Optional<String> reason,
            Optional<FabricChanges> seen) {
        requests.add("roll back " + version + " " + user + " " + reason
            + seen.map(changes -> " seen " + changes.summary()).orElse(""));
        return new FabricChanges("2 links drained", List.of());
    }

    @Override
    public List<PartitionState> partitions() {
        return List.of(partition("p", "one"), partition("q", "other"));
    }

    @Override
    public List<MarkedBridge> orphans() {
        return List.of(new MarkedBridge("node-2", "br-daq", "other"));
    }

    @Override
    public List<PendingRemoval> pendingRemovals() {
        return pending;
    }

    @Override
    public List<Advice> examine(Optional<String> fabric) {
        requests.add("examine " + fabric.orElse("all"));
        return List.of(new Advice(Advice.Severity.OK, "clock", "right", ""));
    }

    @Override
    public List<Alarm> alarms() {
        return alarms;
    }

    @Override
    public List<Alarm> setOperatorState(Set<AlarmId> which, OperatorState state, Optional<String> operator,
            String text) {
        requests.add("setOperatorState " + which.stream().map(id -> id.resource() + " " + id.type()).sorted().toList()
            + " " + state + " " + text);
        return alarms.stream().filter(each -> which.contains(each.id())).toList();
    }

    @Override
    public int purgeAlarms(Set<AlarmId> which) {
        requests.add("purgeAlarms " + which.size());
        return which.size();
    }

    @Override
    public FabricBackup backup() {
        return new FabricBackup("all there is", new BackupContents(1, 2, 0));
    }

    @Override
    public RestoreResult restore(String backup, boolean replace) {
        if (failure != null) {
            throw failure;
        }
        requests.add("restore " + replace + " " + backup);
        return new RestoreResult(new BackupContents(2, 3, 1), List.of("an old module"));
    }

    private static PartitionState partition(String name, String fabric) {
        Instant now = ShellStates.SINCE;
        Condition condition = new Condition(10, 20,
            List.of(new Concern(Concern.Kind.BANDWIDTH, name, "12 Gbps are needed"
            + " and 10 there: mend the links")));
        Partition partition = Partition.idle(name, now).prepared(fabric, "physics", new Selection(
            new TreeSet<>(Set.of("r")), new TreeSet<>(Set.of("d", "e"))), 12,
            new Operation("id", "prepare", Operation.Status.RUNNING, 40, "waits for leaf-1-1"), now)
            .started(RunRecord.begin(7, now, condition), now);
        return new PartitionState(partition, Optional.of(condition));
    }

    static Hops hops(String problem) {
        return new Hops(List.of(new Hop("leaf-1-1", "r1", "s1", "priority=1,ip,nw_dst=10.2.1.1 actions=group:3", "3",
            "")),
            problem);
    }
}
