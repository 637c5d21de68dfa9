package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.identity.DatapathIds;
import org.junit.jupiter.api.Test;

/**
 * Numbers that switches keep. Switches hold the group ids, cookies and datapath-ids that earlier versions of the
 * controller gave them: with other numbers an upgrade would replace every rule, group or bridge of a running fabric.
 */
class WireNamesTest {
    private static final List<PortId> NO_LANES = List.of();
    private static final List<PortId> LANES = List.of(new PortId("p1l1", "p2"), new PortId("p1l1", "p10"));

    /** A group id is a hash of the key's toString, so the names of the records and of their components count. */
    @Test
    void groupIdsOfEveryKindOfKeyStay() {
        assertId(new GroupKey.ToPod(2, 1, 3, NO_LANES), 0xda25cf04);
        assertId(new GroupKey.ToPod(2, 1, 3, LANES), 0xdab9ecb9);
        assertId(new GroupKey.Turned(4), 0xdada1e13);
        assertId(new GroupKey.ToLeaf(2, NO_LANES), 0xdaef5c76);
        assertId(new GroupKey.ToLeaf(2, LANES), 0xda88f660);
        assertId(new GroupKey.ToRing(Address.parse("10.2.0.17")), 0xdae5eeea);
        assertId(new GroupKey.FromRing(2, LANES), 0xda60d73d);
        assertId(new GroupKey.Back(), 0xda942177);
        assertId(new GroupKey.ToEdge("rack7", List.of(2, 1), NO_LANES), 0xdae3a436);
        assertId(new GroupKey.ToEdge("rack7", List.of(2, 1), LANES), 0xdabe37ba);
        assertId(new GroupKey.ToUplinks("rack7", LANES), 0xda12dffd);
        assertThat(new GroupKey.Back().id(1)).as("after a collision with another key").isEqualTo(0xdaf68931);
    }

    private static void assertId(GroupKey key, int id) {
        assertThat(Integer.toHexString(key.id(0))).as(key.toString()).isEqualTo(Integer.toHexString(id));
    }

    /** A cookie is a hash of the rule's content. */
    @Test
    void cookiesStay() {
        assertCookie(new Rule(RulePriority.TO_ADDRESS, Match.to(Address.parse("10.2.0.17")),
            List.of(new Action.ToGroup(0xda123456))), 0xdaf0903650d46972L);
        assertCookie(new Rule(RulePriority.TO_ADDRESS - 4, Match.to(Address.parse("10.2.0.16"), 28),
            List.of(new Action.ToGroup(0xda123456))), 0xdaf00d9642935825L);
        assertCookie(new Rule(RulePriority.TO_ADDRESS, Match.to(Address.parse("10.2.0.17")),
            List.of(new Action.SetDestinationMac(Mac.parse("02:00:00:00:00:01")), new Action.Output(Action.LOCAL))),
            0xdaf0f4bd0acee384L);
        assertCookie(new Rule(RulePriority.TURNED_BACK, Match.to(TurnBackMark.to(2, 1), Match.IPV4),
            List.of(new Action.OutputInPort())),
            0xdaf0a4be742dada1L);
        assertCookie(new Rule(RulePriority.FROM_RING, Match.from(10_000), List.of(new Action.Output(7))),
            0xdaf01af7d4a3ec03L);
        assertCookie(new Rule(RulePriority.LLDP, Match.type(Match.LLDP), List.of(new Action.ToController())),
            0xdaf0e879cb731b24L);
        assertCookie(new Rule(RulePriority.DROP, Match.ALL, List.of()), 0xdaf08ca2f49cfee7L);
    }

    private static void assertCookie(Rule rule, long cookie) {
        assertThat(Long.toHexString(rule.cookie())).as(rule.toString()).isEqualTo(Long.toHexString(cookie));
    }

    @Test
    void datapathIdsAndMarksStay() {
        assertThat(Long.toHexString(DatapathIds.of("atlas", "p1s1", "br-daq"))).isEqualTo("2b8f16f399d");
        assertThat(Long.toHexString(DatapathIds.of("atl\u00e4s", "p1s1", "br-daq"))).isEqualTo("238efb99a0f");
        assertThat(TurnBackMark.to(2, 1)).hasToString("06:da:00:02:00:01");
    }
}
