package org.daqfabric.impl.controller;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.Coverage;
import org.daqfabric.impl.engine.trace.Trace;

/** Starts the inspections of a fabric that the operator asks for. Belongs to the fabric's event loop. */
final class Inspector {
    private final FabricModel model;
    private final SwitchDriver.Loop loop;
    private final FabricServices services;
    private final BridgeDriver bridges;
    private final Rollout rollout;
    private final LinkTracker links;

    Inspector(FabricModel model, SwitchDriver.Loop loop, FabricServices services, BridgeDriver bridges, Rollout rollout,
            LinkTracker links) {
        this.model = model;
        this.loop = loop;
        this.services = services;
        this.bridges = bridges;
        this.rollout = rollout;
        this.links = links;
    }

    /**
     * Reads switches and compares them with their programs.
     *
     * @param names switches; all if empty
     * @param correct whether to correct what differs
     * @param result completed with the findings, or with an {@link InvalidInputException}
     */
    void inspect(Set<String> names, boolean correct, CompletableFuture<Verification> result) {
        Set<String> existing = model.topology().roles().keySet();
        for (String each : names) {
            if (!existing.contains(each)) {
                result.completeExceptionally(new InvalidInputException("switch", "fabric " + model.name()
                    + " has no switch " + each + "; its switches are " + String.join(", ", existing)));
                return;
            }
        }
        new Inspection(loop, bridges, correct, this::ports, this::follow, names.isEmpty() ? existing : names)
            .start(rollout.drivers(), model.topology()::switchOf).whenComplete((found, failure) -> {
                if (failure == null) {
                    services.recorder().compared(model.name(), true, found.switches().size(), found.findings());
                    result.complete(found);
                } else {
                    result.completeExceptionally(failure);
                }
            });
    }

    /** The bits of ports that another program has set; they are cleared whenever they are reported. */
    private List<Finding> ports(String switchName) {
        return PortCorrections.bits(model).entrySet().stream()
            .filter(each -> each.getKey().switchName().equals(switchName))
            .flatMap(each -> each.getValue().stream().filter(PortBit::isCleared).sorted().map(bit -> new Finding(
                switchName, Finding.Kind.PORT, Finding.What.DIFFERENT, each.getKey().port(), bit.label()
                    + " is set by another program"))).toList();
    }

    /** Follows the packets of all pairs through the programs that were read, beside the loop. */
    private CompletionStage<Coverage> follow(Map<String, Program> programs) {
        Topology topology = model.topology();
        if (!programs.keySet().equals(topology.roles().keySet())) {
            return CompletableFuture.completedFuture(new Coverage(0, List.of()));
        }
        Trace trace = new Trace(topology, model.numbers(), programs,
            model.withHostsDown(links.dead(topology, model.numbers())));
        Routing allowed = new Routing(topology, model.unusable(), model.decision().placement());
        return CompletableFuture.supplyAsync(() -> Coverage.of(topology, trace, allowed), services.questions());
    }
}
