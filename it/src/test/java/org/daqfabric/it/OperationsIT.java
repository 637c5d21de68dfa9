package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.daqfabric.it.FabricState.Place;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares plan, trace and what-fails with what then happens on real switches; and rebalances step by step. */
@ExtendWith(SharedController.class)
class OperationsIT {
    private static final Pattern RULE = Pattern.compile("cookie=[^,]+, table=0, (.*) actions=(.*)");
    private static final Pattern GROUP = Pattern.compile("group_id=([0-9]+),(.*)");
    private static Distribution controller;
    private static LabFabric fabric;

    /** All tests share the fabric: one that changes it restores it. */
    @BeforeAll
    static void bringUp(final Distribution shared, final Lab lab) {
        controller = shared;
        // messages are counted: a link that BFD takes for failed, as the machine is busy, would spoil that
        final var file = lab.generate("ops", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4")
            .withBfdEvery(300);
        fabric = lab.fabric(file).upWithRings().put(file).awaitPhase("converged");
    }

    private static Restconf.Answer request(final String rpc, final String input) {
        return controller.restconf().post("operations/daqfabric-operations:" + rpc,
            "{\"input\":" + input.replace('\'', '"').replace("FABRIC", fabric.name()) + "}");
    }

    private static JsonObject answer(final String rpc, final String input) {
        final var answer = request(rpc, input).orFail();
        return answer.json().getAsJsonObject("daqfabric-operations:output");
    }

    /** Plans of drains, undrains and cuts are exact in DCMs, rules and messages. */
    @Test
    void plansAgreeWithWhatHappens() {
        final var whole = fabric.file();
        for (var name : List.of("p1s1", "p2l1")) {
            final var drained = whole.copy();
            drained.switchNamed(name).addProperty("admin-state", "drained");
            assertPlanAgrees("'drain-switch':['" + name + "']", "converged", () -> fabric.put(drained));
            assertPlanAgrees("'undrain-switch':['" + name + "']", "converged", () -> fabric.put(whole));
        }
        final var link = whole.copy();
        link.link("p1l1", "to-p1s2").addProperty("admin-state", "drained");
        assertPlanAgrees("'drain-link':[{'switch':'p1s2','port':'to-p1l1'}]", "converged", () -> fabric.put(link));
        assertPlanAgrees("'undrain-link':[{'switch':'p1l1','port':'to-p1s2'}]", "converged", () -> fabric.put(whole));
        assertPlanAgrees("'fail-link':[{'switch':'p2l2','port':'to-p2s1'}]", "degraded",
            () -> fabric.cut("p2l2", "to-p2s1"));
        fabric.restore("p2l2", "to-p2s1");
    }

    private static void assertPlanAgrees(final String question, final String phase, final Runnable what) {
        final var sent = messages();
        final var contentsBefore = fabric.contents();
        final var before = fabric.state();
        final var plan = answer("plan", "{'fabric':'FABRIC'," + question + "}");
        assertThat(messages()).as("%s: nothing is touched", question).isEqualTo(sent);

        what.run();
        final var planned = new TreeMap<String, String>();
        FabricFile.entries(plan, "switch").forEach(each -> planned.put(each.get("name").getAsString(), counts(each)));
        final var now = fabric.awaitState("all that was planned for " + question + ": " + planned, state ->
            state.phase().equals(phase) && state.generation() > before.generation()
                && total(messages()) - total(sent) >= plan.get("messages").getAsLong());
        final var contentsAfter = fabric.contents();
        final var done = new TreeMap<String, String>();
        final var after = messages();
        contentsAfter.forEach((name, contents) -> {
            final var rules = difference(parse(RULE, contentsBefore.get(name).rules()), parse(RULE, contents.rules()));
            final var groups = difference(parse(GROUP, contentsBefore.get(name).groups()),
                parse(GROUP, contents.groups()));
            final long messages = after.get(name) - sent.get(name);
            if (messages > 0 || !rules.equals("0/0/0") || !groups.equals("0/0/0")) {
                done.put(name, rules + " " + groups + " " + messages);
            }
        });
        planned.values().removeIf(each -> each.equals("0/0/0 0/0/0 0"));
        assertThat(done).as(question).isEqualTo(planned);
        assertThat(now.bandwidth()).as(question)
            .isEqualTo(plan.getAsJsonObject("after").get("bandwidth").getAsDouble());
        assertThat(before.bandwidth()).as(question)
            .isEqualTo(plan.getAsJsonObject("before").get("bandwidth").getAsDouble());
        final var moved = new TreeMap<>(now.placement());
        moved.entrySet().removeAll(before.placement().entrySet());
        final var expected = new TreeMap<String, Place>();
        FabricFile.entries(plan, "moved-dcm").forEach(each -> expected.put(each.get("dcm").getAsString(),
            new Place(each.get("to-plane").getAsInt(), each.get("to-spine").getAsInt())));
        assertThat(moved).as(question).isEqualTo(expected);
        assertThat(FabricFile.entries(plan, "cut-off")).as(question).isEmpty();
    }

    /** In the format of {@link #difference}, with the number of messages. */
    private static String counts(final JsonObject of) {
        final var text = new StringBuilder();
        for (var what : List.of("rules", "groups")) {
            text.append(of.get("added-" + what)).append('/').append(of.get("changed-" + what)).append('/')
                .append(of.get("removed-" + what)).append(' ');
        }
        return text.append(of.get("messages")).toString();
    }

    private static String difference(final Map<String, String> before, final Map<String, String> after) {
        final long added = after.keySet().stream().filter(key -> !before.containsKey(key)).count();
        final long changed = after.entrySet().stream().filter(each -> before.containsKey(each.getKey())
            && !before.get(each.getKey()).equals(each.getValue())).count();
        final long removed = before.keySet().stream().filter(key -> !after.containsKey(key)).count();
        return added + "/" + changed + "/" + removed;
    }

    private static Map<String, String> parse(final Pattern pattern, final SortedMap<String, Double> texts) {
        final var parsed = new TreeMap<String, String>();
        texts.keySet().forEach(text -> {
            final var found = pattern.matcher(text);
            assertThat(found.matches()).as(text).isTrue();
            parsed.put(found.group(1), found.group(2));
        });
        return parsed;
    }

    /** Flow-mods and group-mods sent to each switch since the controller started. */
    private static SortedMap<String, Long> messages() {
        final var sent = new TreeMap<String, Long>();
        final var sample = Pattern.compile("daqfabric_messages_sent_total\\{fabric=\"" + Pattern.quote(fabric.name())
            + "\",switch=\"([^\"]+)\"\\} ([0-9.E]+)");
        new Restconf("http://127.0.0.1:" + controller.port("restconf")).get("metrics/").orFail().body().lines()
            .map(sample::matcher).filter(found -> found.matches())
            .forEach(found -> sent.put(found.group(1), Double.valueOf(found.group(2)).longValue()));
        assertThat(sent).hasSize(fabric.file().switches().size());
        return sent;
    }

    private static long total(final SortedMap<String, Long> messages) {
        return messages.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Traces agree with those of Open vSwitch itself, now and with a link cut, before and after the repair. */
    @Test
    void traceFollowsThePackets() {
        final var dcm = fabric.state().placement().entrySet().stream()
            .filter(each -> fabric.file().hosts().get(each.getKey()).pod() == 2)
            .filter(each -> each.getValue().plane() == 1).map(Map.Entry::getKey).findFirst().orElseThrow();
        final var spine = fabric.state().placement().get(dcm).spine();
        final var input = "{'fabric':'FABRIC','ros':'r1-1','dcm':'" + dcm + "'";
        final var now = answer("trace", input + "}").getAsJsonObject("now");
        final var toDcm = now.getAsJsonObject("to-dcm");
        assertThat(switches(toDcm)).isEqualTo(fabric.trace("r1-1", dcm));
        assertThat(switches(now.getAsJsonObject("to-ros"))).isEqualTo(fabric.trace(dcm, "r1-1"));
        final var hops = FabricFile.entries(toDcm, "hop");
        assertThat(hops.get(0).get("in-port").getAsString()).isEqualTo("LOCAL");
        assertThat(hops.get(hops.size() - 1).get("out-port").getAsString()).isEqualTo("LOCAL");
        assertThat(hops).anySatisfy(hop -> assertThat(hop.has("daqring")
            && hop.get("daqring").getAsString().equals(dcm))
            .isTrue());
        assertThat(hops.get(0).get("rule").getAsString()).contains("nw_dst="
            + fabric.file().hosts().get(dcm).address(), "actions=group:" + hops.get(0).get("group").getAsString());

        final var failed = answer("trace", input + ",'fail-link':[{'switch':'p1l2','port':'to-p1s" + spine + "'}]}");
        final var switched = failed.getAsJsonObject("switched").getAsJsonObject("to-dcm");
        assertThat(switched.get("arrives").getAsBoolean()).isTrue();
        // the spine turns packets back, and their leaf sends them to the other spine
        assertThat(switches(switched)).contains("p1s" + spine, "p1s" + (3 - spine));
        final var repaired = failed.getAsJsonObject("repaired").getAsJsonObject("to-dcm");
        assertThat(repaired.get("arrives").getAsBoolean()).isTrue();
        assertThat(switches(repaired)).doesNotContain("p1s" + spine);
        fabric.cut("p1l2", "to-p1s" + spine);
        fabric.awaitPhase("degraded");
        assertThat(switches(repaired)).isEqualTo(fabric.trace("r1-1", dcm));
        fabric.restore("p1l2", "to-p1s" + spine);

        final var gone = answer("trace", input + ",'fail-switch':['p1l2','p2l2']}").getAsJsonObject("repaired")
            .getAsJsonObject("to-dcm");
        assertThat(gone.get("arrives").getAsBoolean()).isFalse();
        assertThat(gone.get("problem").getAsString()).isNotEmpty();
    }

    private static List<String> switches(final JsonObject way) {
        final var names = new ArrayList<String>();
        FabricFile.entries(way, "hop").stream().map(hop -> hop.get("switch").getAsString()).forEach(name -> {
            if (names.isEmpty() || !names.get(names.size() - 1).equals(name)) {
                names.add(name);
            }
        });
        return names;
    }

    /** Every link and switch is listed once, with the DCMs cut off; numbers agree with plan. */
    @Test
    void whatFailsListsEveryLinkAndSwitch() {
        final var report = answer("what-fails", "{'fabric':'FABRIC'}");
        final var failures = FabricFile.entries(report, "failure");
        final var links = FabricFile.entries(fabric.file().fabric(), "link").size();
        assertThat(failures).hasSize(links + fabric.file().switches().size());
        final var worst = failures.get(0);
        assertThat(worst.get("kind").getAsString()).isEqualTo("switch");
        assertThat(worst.get("cut-off-dcms").getAsInt()).isEqualTo(4);
        assertThat(worst.getAsJsonArray("cut-off-dcm").asList()).extracting(JsonElement::getAsString)
            .containsExactly("h1-1d1", "h1-1d2", "h1-1d3", "h1-1d4");
        final var spine = failures.stream().filter(each -> each.get("switch").getAsString().equals("p1s1")
            && each.get("kind").getAsString().equals("switch")).findFirst().orElseThrow();
        final var plan = answer("plan", "{'fabric':'FABRIC','fail-switch':['p1s1']}");
        assertThat(spine.get("bandwidth")).isEqualTo(plan.getAsJsonObject("after").get("bandwidth"));
        assertThat(spine.get("moved-dcms").getAsInt()).isEqualTo(FabricFile.entries(plan, "moved-dcm").size());
        assertThat(report.get("bandwidth")).isEqualTo(plan.getAsJsonObject("before").get("bandwidth"));
    }

    /** A candidate is planned and refused like a write of the same configuration. */
    @Test
    void candidatesAreCheckedAsWritesAre() {
        final var candidate = fabric.file().fabric().deepCopy();
        candidate.remove("name");
        assertThat(plan(candidate).orFail().json().getAsJsonObject("daqfabric-operations:output").get("messages")
            .getAsInt()).as("the same as it is").isZero();
        final var contradicting = fabric.file().copy();
        contradicting.link("p1l1", "to-p1s1").addProperty("peer-switch", "p2s1");
        final var refusal = controller.restconf().put(fabric.path(), contradicting.json());
        assertThat(refusal.status()).isEqualTo(400);
        final var wrong = contradicting.fabric().deepCopy();
        wrong.remove("name");
        final var answer = plan(wrong);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(messagesOf(answer)).isNotEmpty().allSatisfy(line -> assertThat(line).startsWith("/input/candidate"));
        assertThat(messagesOf(answer).stream().map(line -> line.replace("/input/candidate",
            "/daqfabric:fabrics/fabric[name='" + fabric.name() + "']"))).isEqualTo(messagesOf(refusal));
        final var bare = new JsonObject();
        bare.add("link", JsonParser.parseString("[{\"switch\":\"p1l1\",\"port\":\"x\"}]"));
        assertThat(plan(bare).errors()).contains("/input/candidate/link[switch='p1l1'][port='x']: the leaf peer-switch "
            + "is missing");
    }

    private static Restconf.Answer plan(final JsonObject candidate) {
        final var input = new JsonObject();
        input.addProperty("fabric", fabric.name());
        input.add("candidate", candidate);
        final var body = new JsonObject();
        body.add("input", input);
        return controller.restconf().post("operations/daqfabric-operations:plan", body.toString());
    }

    private static List<String> messagesOf(final Restconf.Answer answer) {
        final JsonArray errors = answer.json().getAsJsonObject("errors").getAsJsonArray("error");
        return errors.get(0).getAsJsonObject().get("error-message").getAsString().lines().toList();
    }

    /** A spine that has returned is filled as the operator asks: no DCM first, then at most one, then all. */
    @Test
    void rebalanceMovesNoMoreThanAllowed() {
        final var manual = fabric.file().copy();
        manual.fabric().getAsJsonObject("policy").add("placement", JsonParser.parseString("{\"return\":\"manual\"}"));
        fabric.put(manual);
        await("the policy").atMost(Duration.ofSeconds(30)).untilAsserted(() ->
            assertThat(fabric.state().phase()).isEqualTo("converged"));
        fabric.cut("p1l1", "to-p1s1");
        fabric.daqlab("restore", "p1l1", "to-p1s1");
        fabric.awaitState("the link held back", state -> state.links("down").isEmpty()
            && state.json().toString().contains("\"held-back\":true"));
        final var before = fabric.state().placement();
        assertThat(answer("rebalance", "{'fabric':'FABRIC','max-moves':0}").get("moved-dcms").getAsInt()).isZero();
        fabric.awaitState("the link in use", state -> !state.json().toString().contains("\"held-back\":true"));
        assertThat(fabric.state().placement()).isEqualTo(before);
        final int few = answer("rebalance", "{'fabric':'FABRIC','max-moves':1}").get("moved-dcms").getAsInt();
        assertThat(few).isLessThanOrEqualTo(1);
        fabric.awaitPhase("converged");
        answer("rebalance", "{'fabric':'FABRIC'}");
        fabric.awaitPhase("converged");
        fabric.put(fabric.file()).awaitPhase("converged");
        assertThat(fabric.state().bandwidth()).isEqualTo(fabric.state().nominalBandwidth());
    }

    /** Wrong input is refused with the reason, and nothing changes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "plan | {} | /input/fabric: name the fabric",
        "plan | {'fabric':'nobody','drain-switch':['p1s1']} | /input/fabric: there is no fabric nobody",
        "plan | {'fabric':'FABRIC'} | /input: there is nothing to plan: give a candidate",
        "plan | {'fabric':'FABRIC','drain-switch':['nobody']} | /input/drain-switch: fabric FABRIC has no switch nobody",
        "plan | {'fabric':'FABRIC','fail-link':[{'switch':'p1l1','port':'x'}]} | /input/fail-link: fabric FABRIC has no link at p1l1:x; the ports of p1l1 with links are",
        "plan | {'fabric':'FABRIC','fail-link':[{'switch':'p1l1'}]} | /input/fail-link: a link is named by a switch and a port",
        "plan | {'fabric':'FABRIC','drain-switch':['p1s1'],'undrain-switch':['p1s1']} | /input/undrain-switch: p1s1 is to be drained too",
        "trace | {'fabric':'FABRIC','dcm':'h1-1d1'} | /input/ros: is missing",
        "trace | {'fabric':'FABRIC','ros':'nobody','dcm':'h1-1d1'} | /input/ros: fabric FABRIC has no ROS nobody; it has r1-1, r2-1",
        "trace | {'fabric':'FABRIC','ros':'r1-1','dcm':'r2-1'} | /input/dcm: fabric FABRIC has no DCM r2-1",
        "trace | {'fabric':'FABRIC','ros':'r1-1','dcm':'h1-1d1','fail-switch':['x']} | /input/fail-switch: fabric FABRIC has no switch x",
        "what-fails | {'fabric':''} | /input/fabric: a name has 1 to 64 characters",
        "rebalance | {'fabric':'FABRIC','max-moves':-1} | /input/max-moves: a number from 0 on",
        "rebalance | {'fabric':'FABRIC','max-moves':'few'} | /input/max-moves: this is no whole number",
    })
    void wrongInputIsRefused(final String rpc, final String input, final String why) {
        final var answer = request(rpc, input);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.errors()).contains(why.replace("FABRIC", fabric.name()));
    }
}
