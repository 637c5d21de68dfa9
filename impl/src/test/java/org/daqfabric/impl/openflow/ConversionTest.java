package org.daqfabric.impl.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Group.Bucket;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Mac;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv4Prefix;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.DropActionCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.ActionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.statistics.rev130819.flow.and.statistics.map.list.FlowAndStatisticsMapListBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.InstructionsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.GoToTableCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.list.InstructionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupTypes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.groups.GroupBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.IpMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv4MatchBuilder;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

class ConversionTest {
    private static final int ROUNDS = 2000;

    /** A switch that holds what it was sent must read back as equal, or the driver would send it for ever. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void rulesReadBackAsTheyWereSent(final long seed) {
        final var random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            final var rule = new Rule(random.nextInt(65536), match(random), actions(random));
            final var held = new FlowAndStatisticsMapListBuilder()
                .setTableId(Uint8.ZERO)
                .setPriority(Uint16.valueOf(rule.priority()))
                .setMatch(Matches.toOdl(rule.match()))
                .setInstructions(Rules.toOdl(rule.actions()))
                .build();
            assertEquals(Optional.of(rule), Rules.fromOdl(held), "seed " + seed);
        }
    }

    /** The same for groups, whose buckets keep their order: the first live one is taken. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void groupsReadBackAsTheyWereSent(final long seed) {
        final var random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            final var group = group(random);
            final var held = new GroupBuilder()
                .setGroupId(new GroupId(Uint32.fromIntBits(group.id())))
                .setGroupType(Groups.toOdl(group.type()))
                .setBuckets(Groups.toOdl(group.buckets()))
                .build();
            assertEquals(group, Groups.fromOdl(held), "seed " + seed);
        }
    }

    /** The plugin writes ports in several ways; a rule must not look changed for that. */
    @Test
    void portsAreReadInEverySpelling() {
        assertEquals(OptionalInt.of(3), Ports.number("3"));
        assertEquals(OptionalInt.of(3), Ports.number("openflow:17:3"));
        assertEquals(OptionalInt.of(Action.LOCAL), Ports.number("LOCAL"));
        assertEquals(OptionalInt.of(Action.LOCAL), Ports.number("openflow:17:LOCAL"));
        assertEquals(OptionalInt.empty(), Ports.number("FLOOD"));
        assertEquals(Optional.of(Match.from(3)),
            Matches.fromOdl(new MatchBuilder().setInPort(new NodeConnectorId("openflow:17:3")).build()));
    }

    /** A match that says more than ours can must not be taken for one of ours. */
    @Test
    void matchesThatSayMoreAreNotOurs() {
        final var host = Match.to(Ipv4.parse("10.0.0.1"));
        assertEquals(Optional.empty(), Matches.fromOdl(new MatchBuilder(Matches.toOdl(host))
            .setIpMatch(new IpMatchBuilder().setIpProtocol(Uint8.valueOf(6)).build())
            .build()));
        assertEquals(Optional.empty(), Matches.fromOdl(new MatchBuilder(Matches.toOdl(host))
            .setLayer3Match(new Ipv4MatchBuilder().setIpv4Destination(new Ipv4Prefix("10.0.0.0/24")).build())
            .build()));
        assertEquals(Optional.of(Match.ALL), Matches.fromOdl(null));
    }

    /** What a rule does beyond our actions must show, so that a comparison finds the difference. */
    @Test
    void unknownActionsShowAsOther() {
        final var drop = new ActionBuilder().setOrder(0).setAction(new DropActionCaseBuilder().build()).build();
        assertInstanceOf(Action.Other.class, Actions.fromOdl(List.of(drop)).getFirst());

        final var goTo = new InstructionBuilder().setOrder(0).setInstruction(new GoToTableCaseBuilder().build()).build();
        final var rule = Rules.fromOdl(new FlowAndStatisticsMapListBuilder()
            .setTableId(Uint8.ZERO)
            .setPriority(Uint16.ONE)
            .setHardTimeout(Uint16.TEN)
            .setInstructions(new InstructionsBuilder().setInstruction(Map.of(goTo.key(), goTo)).build())
            .build()).orElseThrow();
        assertEquals(2, rule.actions().size());
        rule.actions().forEach(action -> assertInstanceOf(Action.Other.class, action));
    }

    /** What was found in a switch and not understood is never sent to one. */
    @Test
    void unknownThingsAreNotSent() {
        final var other = List.<Action>of(new Action.Other("dec_ttl"));
        assertThrows(IllegalArgumentException.class, () -> Actions.toOdl(other));
        assertThrows(IllegalArgumentException.class, () -> Groups.toOdl(Group.Type.OTHER));
        final var select = new GroupBuilder().setGroupId(new GroupId(Uint32.ONE)).setGroupType(GroupTypes.GroupSelect);
        assertEquals(new Group(1, Group.Type.OTHER, List.of()), Groups.fromOdl(select.build()));
    }

    /** Datapath-ids use all 64 bits, and OpenDaylight writes them unsigned. */
    @Test
    void datapathIdsAreUnsigned() {
        assertEquals("openflow:18446744073709551615", Nodes.name(-1));
        assertEquals(-1, Nodes.datapathId(new NodeId(Nodes.name(-1))).orElseThrow());
        assertEquals(true, Nodes.datapathId(new NodeId("controller-config")).isEmpty());
    }

    /** A refusal reaches the operator in words; a switch that is gone is no refusal. */
    @Test
    void errorsAreToldInWords() {
        assertEquals(Optional.of("the group exists already (OpenFlow error GROUPMODFAILED/GROUPEXISTS)"),
            Refusals.words("Device reported error type GROUPMODFAILED code GROUPEXISTS"));
        assertEquals(Optional.of("OpenFlow error BADMATCH/BADPREREQ"),
            Refusals.words("Device reported error type BADMATCH code BADPREREQ"));
        assertEquals(Optional.empty(), Refusals.words("Device disconnected"));
    }

    private static Match match(final Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> Match.to(new Ipv4(random.nextInt()));
            case 3 -> Match.to(new Mac(random.nextLong() & (1L << 48) - 1));
            case 1 -> Match.from(port(random));
            case 2 -> Match.type(random.nextInt(0x600, 0x10000));
            default -> new Match(random.nextBoolean() ? OptionalInt.of(port(random)) : OptionalInt.empty(), Match.IPV4,
                Optional.empty(), random.nextBoolean() ? Optional.of(new Ipv4(random.nextInt())) : Optional.empty());
        };
    }

    private static List<Action> actions(final Random random) {
        final var actions = new ArrayList<Action>();
        for (int i = random.nextInt(4); i > 0; i--) {
            actions.add(switch (random.nextInt(5)) {
                case 0 -> new Action.Output(port(random));
                case 1 -> new Action.OutputInPort();
                case 2 -> new Action.ToGroup(random.nextInt());
                case 3 -> new Action.SetDestinationMac(new Mac(random.nextLong() & (1L << 48) - 1));
                default -> new Action.ToController();
            });
        }
        return actions;
    }

    private static Group group(final Random random) {
        final var buckets = new ArrayList<Bucket>();
        for (int i = random.nextInt(4); i > 0; i--) {
            buckets.add(new Bucket(random.nextBoolean() ? OptionalInt.of(port(random)) : OptionalInt.empty(),
                random.nextBoolean() ? OptionalInt.of(random.nextInt() & 0x7fffffff) : OptionalInt.empty(),
                actions(random)));
        }
        return new Group(random.nextInt(), random.nextBoolean() ? Group.Type.FAST_FAILOVER : Group.Type.INDIRECT,
            buckets);
    }

    private static int port(final Random random) {
        return random.nextInt(8) == 0 ? Action.LOCAL : 1 + random.nextInt(65279);
    }
}
