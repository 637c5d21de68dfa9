package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.opendaylight.yang.svc.v1.urn.daqfabric.planning.rev261121.YangModuleInfoImpl;

/** The rpcs of daqfabric-planning as RESTCONF calls them. */
class PlanningRpcsTest {
    private static final Map<String, FabricSpec> FABRICS =
        Map.of("prototype", TestFabrics.prototype(), "fig64", TestFabrics.fig64(4, 6, 40));
    private static final Pattern OUT_OF_RANGE = Pattern.compile(".* is out of range: (.+)");
    private static final Pattern TELLS_RANGE =
        Pattern.compile("leaf ([a-z-]+) \\{\\s+type (?:whole|real)-number;[^}]*?Range:\\s+([0-9.\\sto]+)\\.\"");
    private static final Map<String, Set<String>> TOLD = told();
    private static RpcCalls calls;

    @BeforeAll
    static void register() {
        calls = new RpcCalls(YangModuleInfoImpl.getInstance().getName(), service -> new PlanningRpcs(service,
            name -> Optional.ofNullable(FABRICS.get(name))
                .orElseThrow(() -> new InvalidInputException("fabric", "there is no fabric " + name))));
    }

    /** Numbers that the sources state, computed again; each row names its source. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvFileSource(resources = "planning-numbers.csv", delimiter = '|', useHeadersInDisplayName = false,
        numLinesToSkip = 1)
    void givesTheNumbersOfTheSources(String source, String rpc, String input, String expected) {
        JsonObject output = calls.call(rpc, input);
        for (String each : expected.split(" ")) {
            String[] parts = each.split("=");
            JsonObject at = output;
            String leaf = parts[0];
            if (leaf.contains("/")) {
                String of = leaf.substring(0, leaf.indexOf('/'));
                leaf = leaf.substring(leaf.indexOf('/') + 1);
                at = entry(output, of);
            }
            if (parts[1].equals("absent")) {
                assertThat(at.has(leaf)).as(leaf).isFalse();
            } else if (parts[1].matches("[a-z].*")) {
                assertThat(at.get(leaf).getAsString()).as(leaf).isEqualTo(parts[1]);
            } else {
                // equal to the last digit that the source gives
                BigDecimal value = new BigDecimal(parts[1]);
                assertThat(at.get(leaf).getAsBigDecimal()).as(leaf)
                    .isCloseTo(value, within(value.ulp().divide(BigDecimal.TWO)));
            }
        }
    }

    /** What is left after a failure, or, as {@code server:ROLE}, what a switch needs. */
    private static JsonObject entry(JsonObject output, String name) {
        boolean isServer = name.startsWith("server:");
        return output.getAsJsonArray(isServer ? "server" : "failure").asList().stream()
            .map(JsonElement::getAsJsonObject)
            .filter(each -> isServer ? name.endsWith(":" + each.get("role").getAsString())
                : name.equals(each.get("of").getAsString())).findFirst().orElseThrow();
    }

    /** A missing, unknown or contradictory value, or one out of range, is refused with the name of its leaf. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvFileSource(resources = "planning-refusals.csv", delimiter = '|', numLinesToSkip = 1)
    void refusesWithTheLeaf(String rpc, String input, String leaf, String words) {
        assertThatThrownBy(() -> calls.call(rpc, input)).hasMessageContaining("/input/" + leaf + ": ")
            .hasMessageContaining(words)
            .satisfies(refusal -> {
                Matcher range = OUT_OF_RANGE.matcher(refusal.getMessage());
                if (range.matches() && !leaf.endsWith("-group")) {
                    assertThat(TOLD.get(leaf)).as("ranges the model tells").contains(range.group(1));
                }
            });
    }

    /** Numbers within their ranges can lead to more than the answer's leaf holds. */
    @Test
    void refusesWhatTheAnswerCannotHold() {
        assertThatThrownBy(() -> calls.call("incast",
            "{'ros':1,'bandwidth':1000000,'rtt':1000000,'buffer':4,'fragment-size':3}"))
            .hasMessageContaining("/input: these numbers lead to 83333333250 of something");
    }

    /** The ranges that the descriptions of the model give, by leaf. */
    private static Map<String, Set<String>> told() {
        try {
            Matcher leaves = TELLS_RANGE.matcher(YangModuleInfoImpl.getInstance().getYangTextCharSource().read());
            Map<String, Set<String>> told = new HashMap<>();
            while (leaves.find()) {
                told.computeIfAbsent(leaves.group(1), leaf -> new HashSet<>())
                    .add(leaves.group(2).replaceAll("\\s+", " "));
            }
            return told;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
