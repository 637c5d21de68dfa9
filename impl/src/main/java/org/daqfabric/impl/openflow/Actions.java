package org.daqfabric.impl.openflow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.spec.Mac;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Uri;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.MacAddress;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.GroupActionCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.GroupActionCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.OutputActionCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.OutputActionCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.SetFieldCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.SetFieldCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.group.action._case.GroupActionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.output.action._case.OutputActionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.set.field._case.SetField;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.set.field._case.SetFieldBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.ActionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.ActionKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.ethernet.match.fields.EthernetDestinationBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.EthernetMatchBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;

/** Lists of actions, ours and OpenDaylight's. */
final class Actions {
    /** OFPCML_NO_BUFFER: the whole packet goes to the controller. */
    private static final Uint16 WHOLE = Uint16.MAX_VALUE;

    private Actions() {
    }

    static Map<ActionKey, org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action>
            toOdl(final List<Action> actions) {
        final var builder = BindingMap.<ActionKey,
            org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action>
                orderedBuilder(actions.size());
        for (int order = 0; order < actions.size(); order++) {
            builder.add(new ActionBuilder().setOrder(order).setAction(toOdl(actions.get(order))).build());
        }
        return builder.build();
    }

    static List<Action> fromOdl(final Collection<
            org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action> actions) {
        final var result = new ArrayList<Action>(actions.size());
        actions.stream()
            .sorted(Comparator.comparing(
                org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action::getOrder))
            .forEach(action -> result.add(fromOdl(action.getAction())));
        return result;
    }

    private static org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.Action toOdl(
            final Action action) {
        return switch (action) {
            case Action.Output output -> output(Ports.text(output.port()), Uint16.ZERO);
            case Action.OutputInPort unused -> output(Ports.IN_PORT, Uint16.ZERO);
            case Action.ToController unused -> output(Ports.CONTROLLER, WHOLE);
            case Action.ToGroup group -> new GroupActionCaseBuilder()
                .setGroupAction(new GroupActionBuilder().setGroupId(Uint32.fromIntBits(group.id())).build())
                .build();
            case Action.SetDestinationMac set -> new SetFieldCaseBuilder().setSetField(setMac(set.mac())).build();
            case Action.Other other ->
                throw new IllegalArgumentException("'" + other.text() + "' was read from a switch, it cannot be sent");
        };
    }

    private static OutputActionCase output(final String port, final Uint16 maxLength) {
        return new OutputActionCaseBuilder()
            .setOutputAction(new OutputActionBuilder()
                .setOutputNodeConnector(new Uri(port))
                .setMaxLength(maxLength)
                .build())
            .build();
    }

    private static SetField setMac(final Mac mac) {
        return new SetFieldBuilder()
            .setEthernetMatch(new EthernetMatchBuilder()
                .setEthernetDestination(new EthernetDestinationBuilder()
                    .setAddress(new MacAddress(mac.toString()))
                    .build())
                .build())
            .build();
    }

    private static Action fromOdl(
            final org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.Action odl) {
        return switch (odl) {
            case OutputActionCase output -> fromOutput(output);
            case GroupActionCase group when group.getGroupAction().getGroupId() != null ->
                new Action.ToGroup(group.getGroupAction().getGroupId().intValue());
            case SetFieldCase field -> fromSetField(field);
            default -> other(odl);
        };
    }

    private static Action fromOutput(final OutputActionCase odl) {
        final var output = odl.getOutputAction();
        final String port = output.getOutputNodeConnector().getValue();
        if (port.equals(Ports.IN_PORT) || port.equals("INPORT")) {
            return new Action.OutputInPort();
        }
        if (port.equals(Ports.CONTROLLER)) {
            return WHOLE.equals(output.getMaxLength()) ? new Action.ToController() : other(odl);
        }
        final var number = Ports.number(port);
        return number.isPresent() ? new Action.Output(number.getAsInt()) : other(odl);
    }

    private static Action fromSetField(final SetFieldCase odl) {
        final var ethernet = odl.getSetField().getEthernetMatch();
        if (ethernet == null || ethernet.getEthernetDestination() == null) {
            return other(odl);
        }
        final var mac = Mac.parse(ethernet.getEthernetDestination().getAddress().getValue());
        return odl.getSetField().equals(setMac(mac)) ? new Action.SetDestinationMac(mac) : other(odl);
    }

    private static Action other(final Object odl) {
        return new Action.Other(odl.toString());
    }
}
