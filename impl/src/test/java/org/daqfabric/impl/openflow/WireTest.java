package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.traffic.Counted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opendaylight.openflowjava.protocol.impl.deserialization.DeserializationFactory;
import org.opendaylight.openflowjava.protocol.impl.deserialization.DeserializerRegistryImpl;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.common.action.rev150203.action.grouping.action.choice.GroupCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.common.action.rev150203.action.grouping.action.choice.OutputActionCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.common.instruction.rev130731.instruction.grouping.instruction.choice.ApplyActionsCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.common.types.rev130731.FlowModCommand;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.common.types.rev130731.GroupType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.oxm.rev150225.match.entry.value.grouping.match.entry.value.InPortCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.oxm.rev150225.match.entry.value.grouping.match.entry.value.Ipv4DstCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.oxm.rev150225.match.entry.value.grouping.match.entry.value.Ipv6DstCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.FlowModInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.GroupModInput;

/** OpenDaylight's library reads what we encode, and what a switch reports decodes to the same rules and groups. */
class WireTest {
    private static final int COOKIE = 8;
    private static final int MATCH = 48;

    @Test
    void theLibraryReadsRules() {
        var rule = new Rule(300, new Match(OptionalInt.of(9), Match.IPV4, Optional.of(Mac.parse("06:da:00:01:02:03")),
            Optional.of(Address.parse("10.1.2.3"))), List.of(
                new Action.SetDestinationMac(Mac.parse("02:00:00:00:00:07")),
                new Action.ToGroup(0xda000001), new Action.Output(Action.LOCAL)));
        var read = (FlowModInput) library(written(new Message.PutRule(rule)));
        assertThat(read.getCommand()).isEqualTo(FlowModCommand.OFPFCADD);
        assertThat(read.getPriority().toJava()).isEqualTo(300);
        assertThat(read.getCookie().longValue()).isEqualTo(rule.cookie());
        assertThat(read.getTableId().getValue().toJava()).isZero();
        assertThat(read.getBufferId().intValue()).isEqualTo(-1);
        var fields = read.getMatch().nonnullMatchEntry();
        assertThat(fields).hasSize(4);
        assertThat(((InPortCase) fields.get(0).getMatchEntryValue()).getInPort().getPortNumber().getValue().toJava())
            .isEqualTo(9);
        assertThat(((Ipv4DstCase) fields.get(3).getMatchEntryValue()).getIpv4Dst().getIpv4Address().getValue())
            .isEqualTo("10.1.2.3");
        var actions = ((ApplyActionsCase) read.nonnullInstruction().get(0).getInstructionChoice()).getApplyActions()
            .nonnullAction();
        assertThat(actions).hasSize(3);
        assertThat(((GroupCase) actions.get(1).getActionChoice()).getGroupAction().getGroupId().intValue())
            .isEqualTo(0xda000001);
        assertThat(((OutputActionCase) actions.get(2).getActionChoice()).getOutputAction().getPort().getValue()
            .intValue()).isEqualTo(Action.LOCAL);
    }

    @Test
    void theLibraryReadsIpv6() {
        var fields = ((FlowModInput) library(written(new Message.PutRule(new Rule(1936,
            Match.to(Address.parse("fd00:0:0:2::1"), 64), List.of()))))).getMatch().nonnullMatchEntry();
        assertThat(fields).hasSize(2);
        var destination = ((Ipv6DstCase) fields.get(1).getMatchEntryValue()).getIpv6Dst();
        assertThat(Address.parse(destination.getIpv6Address().getValue())).hasToString("fd00:0:0:2::");
        assertThat(destination.getMask()).hasSize(16).startsWith(-1, -1, -1, -1, -1, -1, -1, -1)
            .endsWith(0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void aStrictDeleteHasOnlyTheKey() {
        var read = (FlowModInput) library(written(new Message.DeleteRule(new Rule.Key(7, Match.type(Match.LLDP)))));
        assertThat(read.getCommand()).isEqualTo(FlowModCommand.OFPFCDELETESTRICT);
        assertThat(read.getCookieMask().longValue()).isZero();
        assertThat(read.getOutPort().getValue().intValue()).isEqualTo(-1);
        assertThat(read.getOutGroup().intValue()).isEqualTo(-1);
        assertThat(read.nonnullInstruction()).isEmpty();
    }

    @Test
    void theLibraryReadsGroups() {
        var read = (GroupModInput) library(written(new Message.AddGroup(new Group(0xda000007, Group.Type.FAST_FAILOVER,
            List.of(Group.Bucket.out(3), new Group.Bucket(OptionalInt.empty(), OptionalInt.of(0xda000001),
                List.of(new Action.ToGroup(0xda000001))))))));
        assertThat(read.getType()).isEqualTo(GroupType.OFPGTFF);
        assertThat(read.getGroupId().getValue().intValue()).isEqualTo(0xda000007);
        assertThat(read.nonnullBucketsList()).hasSize(2);
        assertThat(read.nonnullBucketsList().get(0).getWatchPort().getValue().toJava()).isEqualTo(3);
        assertThat(read.nonnullBucketsList().get(0).getWatchGroup().intValue()).isEqualTo(-1);
        assertThat(read.nonnullBucketsList().get(1).getWatchGroup().intValue()).isEqualTo(0xda000001);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void rulesAndGroupsRoundTrip(long seed) {
        var random = new Random(seed);
        var rules = new ArrayList<Rule>();
        var groups = new ArrayList<Group>();
        ByteBuf flowBody = Unpooled.buffer();
        ByteBuf groupBody = Unpooled.buffer();
        for (int each = 0; each < 500; each++) {
            var rule = rule(random);
            rules.add(rule);
            asFlow(written(new Message.PutRule(rule)), rule, flowBody);
            var group = group(random);
            groups.add(group);
            asDescription(written(new Message.AddGroup(group)), groupBody);
        }
        assertThat(Decoder.flows(flowBody)).containsExactlyElementsOf(
            rules.stream().map(rule -> new Decoder.Flow(rule.cookie(), new Counted(5, 6), 0,
                rule.priority(), rule.match(), Optional.of(rule))).toList());
        assertThat(Decoder.groups(groupBody)).containsExactlyElementsOf(groups);
    }

    /** A rule with anything that our rules never have must not be taken for one of ours. */
    @Test
    void foreignRulesAreRecognised() {
        ByteBuf body = Unpooled.buffer();
        var rule = new Rule(5, Match.to(Address.parse("10.0.0.1")), List.of(new Action.Output(2)));
        asFlow(written(new Message.PutRule(rule)), rule, body);
        ByteBuf masked = body.copy();
        // the mask bit of the address, with which the field is unknown
        masked.setByte(MATCH + 4 + 6 + 2, OpenFlow13.OXM_IPV4_DST << 1 | 1);
        assertThat(Decoder.flows(masked).get(0).rule()).isEmpty();
        ByteBuf otherTable = body.copy();
        otherTable.setByte(2, 1);
        assertThat(Decoder.flows(otherTable).get(0).rule()).isEmpty();
        ByteBuf timed = body.copy();
        timed.setShort(14, 60);
        assertThat(Decoder.flows(timed).get(0).rule().orElseThrow().actions())
            .containsExactly(new Action.Output(2), new Action.Other("times out"));
        ByteBuf flood = body.copy();
        flood.setInt(body.writerIndex() - 12, 0xfffffffb);
        assertThat(Decoder.flows(flood).get(0).rule().orElseThrow().actions().get(0))
            .isInstanceOf(Action.Other.class);
    }

    /** An answer with inconsistent lengths fails, rather than being read for ever or as something else. */
    @Test
    void malformedAnswersFail() {
        ByteBuf body = Unpooled.buffer();
        var rule = new Rule(5, Match.ALL, List.of(new Action.Output(2)));
        asFlow(written(new Message.PutRule(rule)), rule, body);
        for (int length : new int[] {0, 7, body.writerIndex() + 8}) {
            ByteBuf wrong = body.copy();
            wrong.setShort(0, length);
            assertThatThrownBy(() -> Decoder.flows(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        ByteBuf action = body.copy();
        action.setShort(body.writerIndex() - 14, 0);
        assertThatThrownBy(() -> Decoder.flows(action)).isInstanceOf(IllegalArgumentException.class);
    }

    /** BFD clears only the live bit; a bit that stops data is as good as a cut. */
    @Test
    void portsCarryTrafficWhenLive() {
        ByteBuf body = Unpooled.buffer();
        port(body, 1, 0, 4);
        port(body, 2, 0, 0);
        port(body, 3, 0, 5);
        port(body, 4, 1, 4);
        port(body, Action.LOCAL, 0, 4);
        port(body, 5, 4, 4);
        port(body, 6, 32, 4);
        port(body, 7, 64, 4);
        port(body, 8, 16, 4);
        Map<Integer, PortReport> ports = Decoder.ports(List.of(body));
        Map<Integer, Boolean> up = new TreeMap<>();
        ports.forEach((number, port) -> up.put(number, port.up()));
        assertThat(up).isEqualTo(Map.of(1, true, 2, false, 3, false, 4, false, 5, false, 6, false, 7, true, 8, true,
            Action.LOCAL, true));
        assertThat(ports.get(4)).isEqualTo(new PortReport(0, false, Set.of(PortBit.DOWN)));
        assertThat(ports.get(6).toClear()).isEqualTo(32);
        assertThat(ports.get(7).bits()).containsExactly(PortBit.NO_PACKET_IN);
        assertThat(ports.get(8).bits()).isEmpty();
    }

    private static void port(ByteBuf out, int number, int config, int state) {
        out.writeInt(number).writeZero(28).writeInt(config).writeInt(state).writeZero(24);
    }

    private static ByteBuf written(Message message) {
        ByteBuf out = Unpooled.buffer();
        Encoder.change(out, 0x80000001, message);
        assertThat(out.getUnsignedShort(2)).isEqualTo(out.writerIndex());
        assertThat(out.writerIndex() % 8).isZero();
        return out;
    }

    private static Object library(ByteBuf message) {
        var registry = new DeserializerRegistryImpl();
        registry.init();
        message.skipBytes(1);
        return new DeserializationFactory(registry).deserialize(message, OpenFlow13.VERSION);
    }

    /** Encodes the rule as a switch reports it (7.3.5.2). */
    private static void asFlow(ByteBuf flowMod, Rule rule, ByteBuf out) {
        int begin = out.writerIndex();
        out.writeShort(0).writeShort(0).writeInt(3).writeInt(4).writeShort(rule.priority()).writeZero(2 + 2 + 2 + 4)
            .writeLong(flowMod.getLong(COOKIE)).writeLong(5).writeLong(6)
            .writeBytes(flowMod, MATCH, flowMod.writerIndex() - MATCH);
        out.setShort(begin, out.writerIndex() - begin);
    }

    /** Encodes the group as a switch reports it (7.3.5.7): without the command. */
    private static void asDescription(ByteBuf groupMod, ByteBuf out) {
        int length = groupMod.writerIndex() - SentMessages.HEADER;
        out.writeShort(length).writeBytes(groupMod, SentMessages.HEADER + 2, length - 2);
    }

    private static Rule rule(Random random) {
        boolean six = random.nextBoolean();
        var match = new Match(random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(60000)) : OptionalInt.empty(),
            random.nextBoolean() ? six ? Match.IPV6 : Match.IPV4 : Match.ANY_TYPE,
            random.nextBoolean() ? Optional.of(mac(random)) : Optional.empty(),
            random.nextBoolean() ? Optional.of(address(random, six)) : Optional.empty(), Match.WHOLE,
            random.nextBoolean() ? Optional.of(address(random, six)) : Optional.empty());
        return new Rule(random.nextInt(65536), random.nextInt(3) > 0 ? match
            : Match.to(address(random, six), 1 + random.nextInt(six ? 128 : 32)), actions(random));
    }

    private static Address address(Random random, boolean six) {
        return six ? new Address(random.nextLong(), random.nextLong()) : Address.ofIpv4(random.nextInt());
    }

    private static Group group(Random random) {
        var buckets = new ArrayList<Group.Bucket>();
        for (int each = random.nextInt(4); each > 0; each--) {
            buckets.add(new Group.Bucket(
                random.nextBoolean() ? OptionalInt.of(random.nextInt(60000)) : OptionalInt.empty(),
                random.nextBoolean() ? OptionalInt.of(random.nextInt(60000)) : OptionalInt.empty(), actions(random)));
        }
        return new Group(random.nextInt(), random.nextBoolean() ? Group.Type.FAST_FAILOVER : Group.Type.INDIRECT,
            buckets);
    }

    private static List<Action> actions(Random random) {
        var actions = new ArrayList<Action>();
        for (int each = random.nextInt(4); each > 0; each--) {
            actions.add(switch (random.nextInt(7)) {
                case 0 -> new Action.Output(1 + random.nextInt(60000));
                case 1 -> new Action.OutputInPort();
                case 2 -> new Action.ToGroup(random.nextInt());
                case 3 -> new Action.SetDestinationMac(mac(random));
                case 4 -> new Action.Output(Action.LOCAL);
                case 5 -> new Action.SetDscp(random.nextInt(64));
                default -> new Action.ToController();
            });
        }
        return actions;
    }

    private static Mac mac(Random random) {
        return new Mac(random.nextLong() & 0xffffffffffffL);
    }
}
