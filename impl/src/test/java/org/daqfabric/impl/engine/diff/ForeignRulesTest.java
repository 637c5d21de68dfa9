package org.daqfabric.impl.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.diff.ForeignRules.Foreign;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which rules of other programs take packets of ours. */
class ForeignRulesTest {
    private static final Program OURS = program(new Rule(1000, Match.to(Address.parse("10.2.1.1")),
        List.of(new Action.Output(1))));

    private static Program program(Rule rule) {
        TreeMap<Rule.Key, Rule> rules = new TreeMap<>();
        rules.put(rule.key(), rule);
        return new Program(rules, new TreeMap<>());
    }

    private static Match prefix(String address, int length) {
        return Match.to(Address.parse(address), length);
    }

    /** A rule above ours for a prefix that contains our address is named with the command that removes it. */
    @Test
    void whatTakesPacketsIsNamedWithItsRemoval() {
        assertThat(ForeignRules.takers(OURS, List.of(new Foreign(0x17, 60_000, prefix("10.2.0.0", 16), true)), "br-x"))
            .singleElement().asString().contains("cookie=0x17").contains("nw_dst=10.2.0.0/16").contains(
                "'ovs-ofctl -O OpenFlow13 --strict del-flows br-x priority=60000,dl_type=0x0800,nw_dst=10.2.0.0/16'");
        assertThat(ForeignRules.takers(OURS, List.of(new Foreign(0x17, 1000, Match.ALL, false)), "br-x"))
            .singleElement().asString().contains("fields that daqfabric does not use")
            .contains("'ovs-ofctl -O OpenFlow13 del-flows br-x cookie=0x17/-1'");
    }

    /** Rules below ours, for other addresses, protocols or families, are left alone. */
    @Test
    void whatTakesNothingIsNotNamed() {
        assertThat(ForeignRules.takers(program(new Rule(0, Match.ALL, List.of())), List.of(new Foreign(0, 1, Match.ALL,
            false)), "br-x")).as("we drop them anyway").isEmpty();
        assertThat(ForeignRules.takers(OURS, List.of(new Foreign(0, 999, Match.ALL, true),
            new Foreign(0, 60_000, prefix("10.3.0.0", 16), true), new Foreign(0, 60_000, prefix("::", 1), true),
            new Foreign(0, 60_000, new Match(OptionalInt.empty(), 0x0806, Optional.empty(), Optional.empty()), false)),
            "br-x")).isEmpty();
    }

    /** Of many the first are named, and the others counted. */
    @Test
    void manyAreCounted() {
        List<Foreign> many = IntStream.range(0, 50)
            .mapToObj(each -> new Foreign(each, 2000 + each, Match.ALL, true)).toList();
        assertThat(ForeignRules.takers(OURS, many, "br-x")).hasSize(4).last().asString().isEqualTo(
            "and 47 more such rules");
    }

    /** Two prefixes have packets in common if some address is in both, and only then. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void prefixesOverlapIfAnAddressIsInBoth(long seed) {
        Random random = new Random(seed);
        for (int each = 0; each < 200; each++) {
            int one = random.nextInt(256);
            int other = random.nextInt(256);
            int oneLength = 24 + random.nextInt(9);
            int otherLength = 24 + random.nextInt(9);
            boolean common = false;
            for (int address = 0; address < 256; address++) {
                common |= address >> 32 - oneLength == one >> 32 - oneLength
                    && address >> 32 - otherLength == other >> 32 - otherLength;
            }
            assertThat(ForeignRules.overlap(Match.to(Address.ofIpv4(one), oneLength),
                Match.to(Address.ofIpv4(other), otherLength))).isEqualTo(common);
        }
    }
}
