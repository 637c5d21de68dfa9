package org.daqfabric.impl.controller.whatif;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.FabricLoop;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.engine.run.SelectedFabric;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * A fabric as it is at one moment, and how its links would be judged, for what is worked out beside its event loop.
 *
 * @param topology the configuration in force
 * @param programs what the switches are given
 * @param told numbers of the ports that OVSDB was told of
 * @param goneRound as in {@link FabricLoop}
 * @param dead links that really carry nothing, whatever they are used for
 * @param control what run control wants of it
 * @param next the configuration asked about
 * @param changed what could be used of it at first, without links that are new
 * @param proven what could be used of it with those
 * @param failed what could be used of it after the failures asked about
 */
public record Snapshot(Topology topology, Decision decision, UnusableLinks view, SortedMap<String, Program> programs,
        Map<String, SwitchView> switches, PortNumbers told, Set<String> ringCapable,
        Optional<Set<PortId>> goneRound, Set<PortId> dead, RunDirective control, Topology next, UnusableLinks changed, UnusableLinks proven,
        UnusableLinks failed) {
    public Snapshot {
        programs = Collections.unmodifiableSortedMap(new TreeMap<>(programs));
        switches = Map.copyOf(switches);
        ringCapable = Set.copyOf(ringCapable);
        dead = Set.copyOf(dead);
    }

    /** A configuration with the weights to place by. */
    public Topology weights(Topology of) {
        return SelectedFabric.of(of, control.selection());
    }
}
