package org.daqfabric.impl.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.impl.alarms.AlarmListener;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.runcontrol.RunListener;
import org.daqfabric.impl.runcontrol.SequencedEvent;
import org.osgi.service.component.annotations.Component;

/** The metrics of all fabrics and partitions. A fabric is known from its first state until it is withdrawn. */
@Component(service = Metrics.class, immediate = true)
public final class Metrics implements StatePublisher, Recorder, RunListener, AlarmListener {
    private final ConcurrentNavigableMap<String, FabricMetrics> fabrics = new ConcurrentSkipListMap<>();
    private final ConcurrentNavigableMap<String, Supplier<LoopState>> loops = new ConcurrentSkipListMap<>();
    private final ConcurrentNavigableMap<String, LongAdder> shardRepairs = new ConcurrentSkipListMap<>();
    /** How many peers were refused, by protocol: for each limit. */
    private final ConcurrentNavigableMap<String, Supplier<SortedMap<String, Long>>> refusals =
        new ConcurrentSkipListMap<>();
    private volatile Supplier<SortedMap<String, Long>> logins = Collections::emptySortedMap;
    private volatile Supplier<List<FreeSpace>> disks = List::of;
    private volatile List<PartitionState> partitions = List.of();
    private volatile List<Alarm> alarms = List.of();
    private volatile boolean active;

    /** All metrics now. */
    MetricSnapshots snapshots() {
        Samples samples = new Samples();
        samples.add(Family.ACTIVE, active ? 1 : 0);
        shardRepairs.forEach((shard, count) -> samples.add(Family.SHARD_REPAIRS, count.sum(), shard));
        refusals.forEach((protocol, counts) -> counts.get().forEach((limit, count) ->
            samples.add(Family.PEERS_REFUSED, count, protocol, limit)));
        logins.get().forEach((reason, count) -> samples.add(Family.LOGINS_REFUSED, count, reason));
        disks.get().forEach(disk -> disk.bytes().ifPresent(bytes -> disk.folders().forEach(folder ->
            samples.add(Family.DISK_FREE, bytes, folder))));
        alarms.stream().filter(each -> each.isRaised() && !each.shelved()).forEach(each -> samples.add(Family.ALARM, 1,
            each.id().resource().fabric(), LabelText.of(each.id().type()), LabelText.of(each.severity()),
            each.id().resource().toString()));
        fabrics.values().forEach(fabric -> fabric.collect(samples));
        loops.forEach((fabric, loop) -> LoopSamples.collect(fabric, loop.get(), samples));
        RunSamples.collect(partitions, samples);
        return samples.snapshots();
    }

    /** Sets whether this member runs the fabrics. */
    public void active(boolean here) {
        active = here;
    }

    /** Counts a shard of the datastore that was freed of writes it could not finish. */
    public void shardRepaired(String shard) {
        shardRepairs.computeIfAbsent(shard, name -> new LongAdder()).increment();
    }

    /** Sets how to learn how many peers of a protocol were refused for each limit. */
    public void refusals(String protocol, Supplier<SortedMap<String, Long>> counts) {
        refusals.put(protocol, counts);
    }

    /** Sets how to learn how many logins were refused, by reason. */
    public void logins(Supplier<SortedMap<String, Long>> counts) {
        logins = counts;
    }

    /** Sets how to learn what is free of the file systems that the controller stores into. */
    public void disks(Supplier<List<FreeSpace>> free) {
        disks = free;
    }

    @Override
    public void publish(FabricState state) {
        fabrics.computeIfAbsent(state.fabric(), FabricMetrics::new).publish(state);
    }

    @Override
    public void withdraw(String fabric) {
        fabrics.remove(fabric);
    }

    @Override
    public void forget(String fabric) {
        withdraw(fabric);
    }

    @Override
    public void partitionsChanged(List<PartitionState> states) {
        partitions = List.copyOf(states);
    }

    @Override
    public void listChanged(List<Alarm> all) {
        alarms = List.copyOf(all);
    }

    @Override
    public void ended() {
        alarms = List.of();
    }

    @Override
    public void eventOccurred(SequencedEvent event) {
        // its effect is in the states
    }

    @Override
    public void waited(String fabric, Duration time) {
        ifKnown(fabric, metrics -> metrics.waited(time));
    }

    @Override
    public void settled(FabricSpec inForce, SortedMap<String, SwitchCounts> switches) {
        ifKnown(inForce.name(), metrics -> metrics.settled(inForce, switches));
    }

    @Override
    public void compared(String fabric, boolean asked, int switches, List<Finding> findings) {
        ifKnown(fabric, metrics -> metrics.compared(asked, switches, findings));
    }

    @Override
    public void counted(String fabric, String switchName, Instant when, Map<String, Map<String, Long>> ports) {
        ifKnown(fabric, metrics -> metrics.counted(switchName, when, ports));
    }

    @Override
    public void ringsDeleted(String fabric, long packets) {
        ifKnown(fabric, metrics -> metrics.ringsDeleted(packets));
    }

    @Override
    public void loopBegun(String fabric, Supplier<LoopState> loop) {
        loops.put(fabric, loop);
    }

    @Override
    public void loopEnded(String fabric) {
        loops.remove(fabric);
    }

    private void ifKnown(String fabric, Consumer<FabricMetrics> action) {
        FabricMetrics metrics = fabrics.get(fabric);
        if (metrics != null) {
            action.accept(metrics);
        }
    }
}
