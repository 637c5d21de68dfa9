package org.daqfabric.impl.openflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Rule;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.statistics.rev130819.flow.and.statistics.map.list.FlowAndStatisticsMapList;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.Instructions;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.InstructionsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.ApplyActionsCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.ApplyActionsCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.apply.actions._case.ApplyActionsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.list.Instruction;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.list.InstructionBuilder;
import org.opendaylight.yangtools.yang.common.Uint16;

/** What rules do, ours and OpenDaylight's, and whole rules as a switch reports them. */
final class Rules {
    private Rules() {
    }

    /** The instructions of a rule; without actions there are none, and the packet is dropped. */
    static Instructions toOdl(final List<Action> actions) {
        if (actions.isEmpty()) {
            return null;
        }
        final var apply = new InstructionBuilder()
            .setOrder(0)
            .setInstruction(new ApplyActionsCaseBuilder()
                .setApplyActions(new ApplyActionsBuilder().setAction(Actions.toOdl(actions)).build())
                .build())
            .build();
        return new InstructionsBuilder().setInstruction(Map.of(apply.key(), apply)).build();
    }

    /**
     * Reads a rule of ours. What it does besides or instead of what rules of ours do, becomes {@link Action.Other}, so
     * that it differs from every rule of a program.
     *
     * @return empty if a {@link Rule.Key} cannot name it: no rule of ours then, whatever its cookie, and nothing that
     *         could be deleted strictly
     */
    static Optional<Rule> fromOdl(final FlowAndStatisticsMapList odl) {
        if (odl.getTableId().toJava() != 0) {
            return Optional.empty();
        }
        return Matches.fromOdl(odl.getMatch())
            .map(match -> new Rule(odl.getPriority().toJava(), match, actions(odl)));
    }

    private static List<Action> actions(final FlowAndStatisticsMapList odl) {
        final var actions = new ArrayList<Action>();
        if (odl.getInstructions() != null) {
            for (Instruction instruction : odl.getInstructions().nonnullInstruction().values()) {
                if (instruction.getInstruction() instanceof ApplyActionsCase apply) {
                    actions.addAll(Actions.fromOdl(apply.getApplyActions().nonnullAction().values()));
                } else {
                    actions.add(new Action.Other(String.valueOf(instruction.getInstruction())));
                }
            }
        }
        if (timed(odl.getIdleTimeout()) || timed(odl.getHardTimeout())) {
            actions.add(new Action.Other("times out"));
        }
        return actions;
    }

    private static boolean timed(final Uint16 timeout) {
        return timeout != null && timeout.toJava() != 0;
    }
}
