package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.of;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A mistake is refused with a message that says what to change, and never reaches the running fabric. */
@ExtendWith(SharedController.class)
class RefusalIT {
    private static FabricFile good;
    private static LabFabric fabric;
    private static JsonObject config;
    private static long generation;
    private static Map<String, SwitchContents> contents;

    @BeforeAll
    static void bringUp(final Lab lab, final Restconf restconf) {
        good = lab.generate("refuse", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2");
        fabric = lab.converged(good);
        config = config(restconf);
        generation = fabric.state().generation();
        contents = fabric.contents();
    }

    @AfterAll
    static void switchesAreUnchanged() {
        assertThat(fabric.state().phase()).isEqualTo("converged");
        fabric.contents().forEach((name, now) -> contents.get(name).assertUntouchedIn(now, name));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
            mistake("leaf missing", file -> file.removeLeaf(2, 1), "plane 2", "pod 1", "leaf"),
            mistake("spine missing", file -> file.removeSpine(2, 1).removeSpine(2, 2), "plane 2", "spine"),
            mistake("leaf for a pod that is not there", file -> set(file.leaf(1, 2), "pod", "7"), "7"),
            mistake("edge switch without an uplink", file -> file.removeLink("r1-1", "to-p1l1")
                .removeLink("r1-1", "to-p2l1"), "r1-1", "uplink", "link its switch"),
            mistake("switch used twice", file -> set(file.spine(1, 2), "switch", "p1s1"), "p1s1", "plane 1"),
            mistake("switch of two racks", file -> set(file.rack("h2-1"), "switch", "h1-1"), "h1-1", "h2-1"),
            mistake("port used twice", file -> set(file.link("p1l1", "to-p1s1"), "peer-port", "to-p1l2"),
                "p1s1:to-p1l2"),
            mistake("link declared from both ends", file -> file.addLink("p1s1", "to-p1l1", "p1l1", "to-p1s1"),
                "p1s1:to-p1l1", "remove one"),
            mistake("address used twice", file -> set(file.dcm("h1-1d1"), "address", "10.1.2.1"), "10.1.2.1",
                "h1-1d1", "r2-1"),
            mistake("multicast address", file -> set(file.dcm("h1-1d1"), "address", "224.0.0.1"), "224.0.0.1",
            "h1-1d1"),
            mistake("link between two spines", file -> file.addLink("p1s1", "x", "p1s2", "x"), "p1s1:x", "spine"),
            mistake("link between two leaves", file -> file.addLink("p1l1", "x", "p1l2", "x"), "p1l1:x", "leaves"),
            mistake("link between planes", file -> file.addLink("p1l1", "x", "p2s1", "x"), "p1l1:x", "plane 1"),
            mistake("edge switch at another pod's leaf", file -> file.addLink("r1-1", "x", "p1l2", "x"), "r1-1:x",
                "pod"),
            mistake("switch linked to itself", file -> file.addLink("p1l1", "x", "p1l1", "y"), "p1l1:x"),
            mistake("unknown switch as a spine", file -> set(file.spine(1, 1), "switch", "nobody"), "nobody"),
            mistake("unknown switch of a link", file -> file.addLink("p1l1", "x", "nobody", "x"), "nobody"),
            mistake("DCM without address", file -> file.dcm("h1-1d1").remove("address"), "h1-1d1",
            "the leaf address is missing: add it"),
            mistake("ROS without switch", file -> file.ros("r1-1").remove("switch"), "r1-1",
            "the leaf switch is missing: add it"),
            mistake("DCM twice", file -> set(file.dcm("h1-1d2"), "name", "h2-1d1"), "h2-1d1", "rename"),
            mistake("port without mac", file -> set(file.dcm("h1-1d1"), "port", "d1"), "mac"),
            mistake("link port too long", file -> set(file.link("p1l1", "to-p1s1"), "port", "a234567890123456"),
                "1 to 15 characters"),
            mistake("weight 0", file -> set(file.dcm("h1-1d1"), "weight", "0"), "weight", "above 0"),
            mistake("weight below 0", file -> set(file.dcm("h1-1d1"), "weight", "-1.5"), "weight", "above 0"),
            mistake("fragment-weight 0", file -> set(file.ros("r1-1"), "fragment-weight", "0.0"), "above 0"),
            mistake("capacity 0", file -> set(file.link("p1l1", "to-p1s1"), "capacity", "0"), "capacity", "above 0"),
            mistake("capacity below 0", file -> set(file.fabric(), "link-capacity", "-10"), "capacity", "above 0"),
            mistake("plane 0", file -> set(file.plane(1), "id", "0"), "1 to 255"),
            mistake("plane 256", file -> set(file.plane(1), "id", "256"), "256"),
            mistake("spine 65536", file -> set(file.spine(1, 1), "id", "65536"), "65536"),
            mistake("pod 0", file -> set(file.pod(1), "id", "0"), "1 to 65535"),
            mistake("plane that is no number", file -> set(file.plane(1), "id", "one"), "one"),
            mistake("capacity that is no number", file -> set(file.fabric(), "link-capacity", "fast"),
                "link-capacity: 'fast' is not a number"),
            mistake("address that is none", file -> set(file.dcm("h1-1d1"), "address", "10.1.2"),
                "such as 10.0.0.1, or of IPv6"),
            mistake("address out of range", file -> set(file.dcm("h1-1d1"), "address", "10.1.2.256"),
                "such as 10.0.0.1, or of IPv6"),
            mistake("unknown admin-state", file -> set(file.switchNamed("p1s1"), "admin-state", "off"), "off"),
            mistake("unknown leaf", file -> set(file.switchNamed("p1s1"), "colour", "red"), "colour"),
            mistake("another fabric's name", file -> set(file.fabric(), "name", "other"), "name"));
    }

    /** Mistakes in a PUT of the whole fabric. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void mistakeIsRefusedWithWhatToChange(final String what, final Consumer<FabricFile> mistake,
        final List<String> words,
            final Restconf restconf) {
        final var bad = good.copy();
        mistake.accept(bad);
        assertRefused(restconf.put(fabric.path(), bad.json()), words, restconf);
    }

    /** Removal of a needed node, by a patch and by a plain DELETE. */
    @ParameterizedTest(name = "delete {0}")
    @MethodSource("needed")
    void whatIsNeededCannotBeDeleted(final String target, final List<String> words, final Restconf restconf) {
        assertRefused(restconf.yangPatch(fabric.path(), Restconf.deletion("/" + target)), words, restconf);
        final var refused = restconf.delete(fabric.path() + "/" + target);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
        assertThat(refused.errors()).contains("in-use").contains(words);
        assertUnchanged(restconf);
    }

    static Stream<Arguments> needed() {
        return Stream.of(
            of("plane=1/leaf=2", List.of("plane 1 has no leaf for pod 2")),
            of("switch=p1s1", List.of("unknown switch 'p1s1'")),
            of("pod=1", List.of("unknown pod 1")),
            of("pod=1/ros=r1-1/address", List.of("r1-1", "the leaf address is missing: add it")),
            of("link=p1l1,to-p1s1/peer-port", List.of("p1l1", "to-p1s1", "the leaf peer-port is missing: add it")));
    }

    /** Mistakes in a PATCH. */
    @Test
    void patchIsRefusedLikewise(final Restconf restconf) {
        final var bad = good.copy();
        bad.addLink("p1s1", "x", "p1s2", "x");
        assertRefused(restconf.patch(fabric.path(), bad.differenceTo(good).json()), List.of("p1s1:x", "spine"),
            restconf);
    }

    /** As RFC 8040's errata 5565 has it: other clients take 409 for a conflict. */
    @Test
    void whatIsNotThereIsNotFound(final Restconf restconf) {
        final var path = fabric.path().replace(fabric.name(), "no-such");
        for (final var answer : List.of(restconf.get(path), restconf.delete(path))) {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(404);
            assertThat(answer.toString()).contains("data-missing");
        }
    }

    /** What would be created at the root of the datastore is checked as anything else; all of it is there already. */
    @ParameterizedTest(name = "body {0}")
    @MethodSource("roots")
    void creationAtTheRootIsRefused(final String body, final int status, final List<String> words,
            final Restconf restconf) {
        final var refused = restconf.post("data", body.replace('\'', '"'));
        assertThat(refused.status()).as(refused.toString()).isEqualTo(status);
        assertThat(refused.errors()).contains(words);
        assertUnchanged(restconf);
    }

    static Stream<Arguments> roots() {
        return Stream.of(
            of("{'daqfabric:fabrics':{'fabric':[{'name':'f','mtu':5}]}}", 400,
                List.of("/daqfabric:fabrics/fabric[name='f']/mtu", "an mtu is 576 to 65535 bytes")),
            of("{'daqfabric:fabrics':{'fabric':[{'name':'f','colour':'red'}]}}", 400,
                List.of("unknown-element", "/daqfabric:fabrics/fabric[name='f']/colour")),
            of("{'daqfabric:fabrics':{'fabric':[{'name':'f','state':{'phase':'converged'}}]}}", 400,
                List.of("this is state")),
            of("{'daqfabric:fabrics':'f'}", 400, List.of("/daqfabric:fabrics")),
            of("{'daqfabric:fabrics':{'fabric':[{'name':'f'}]}}", 409, List.of("data-exists")),
            of("{'daqfabric:nobody':{}}", 400, List.of("nobody")),
            of("{}", 400, List.of("/: the body is empty: give what is to be created")),
            of("[]", 400, List.of("/: the body is empty")),
            of("", 400, List.of("/: the body is empty")),
            of("{'daqfabric:fabrics':{", 400, List.of("malformed-message")));
    }

    /** An edit of a YANG Patch is checked as the body of a PUT to its target is, which OpenDaylight does not do. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("edits")
    void editIsRefused(final String target, final String value, final List<String> words, final Restconf restconf) {
        final var edit = "{'operation':'merge','edit-id':'1','target':'%s','value':%s}".formatted(target, value);
        for (var each : List.of(fabric.path() + "|/", "data|/daqfabric:fabrics/fabric=" + fabric.name() + "/")) {
            final var path = each.substring(0, each.indexOf('|'));
            final var patch = "{'ietf-yang-patch:yang-patch':{'patch-id':'1','edit':[%s]}}".formatted(edit)
                .replace("'target':'", "'target':'" + each.substring(each.indexOf('|') + 1));
            assertRefused(restconf.send("PATCH", path, patch.replace('\'', '"'), "application/yang-patch+json"),
                words, restconf);
        }
    }

    static Stream<Arguments> edits() {
        return Stream.of(
            of("mtu", "{'daqfabric:mtu':null}", List.of("/mtu: give a whole number")),
            of("mtu", "{'daqfabric:link-capacity':'10'}", List.of("/mtu: the body is link-capacity instead")),
            of("pod=1", "{'daqfabric:pod':[{'id':7}]}", List.of("/pod[id='1']", "the body has pod[id='7']")),
            of("pod=1/id", "{'daqfabric:id':7}", List.of("/pod[id='1']/id", "this is a key of the entry")));
    }

    /** A body that is not JSON or not of our model. */
    @ParameterizedTest
    @ValueSource(strings = { "", "{", "[]", "{}", "{\"daqfabric:fabrics\":{}}", "{\"daqfabric:fabric\":[]}",
        "{\"daqfabric:fabric\":\"x\"}", "{\"nobody:fabric\":[]}" })
    void nonsenseChangesNothing(final String body, final Restconf restconf) {
        final var refused = restconf.put(fabric.path(), body);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.errors()).contains("/daqfabric:fabrics");
        assertUnchanged(restconf);
    }

    private static void assertRefused(final Restconf.Answer answer, final List<String> words,
            final Restconf restconf) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.errors()).contains(words);
        assertUnchanged(restconf);
    }

    private static void assertUnchanged(final Restconf restconf) {
        assertThat(config(restconf)).isEqualTo(config);
        assertThat(fabric.state().generation()).isEqualTo(generation);
    }

    private static JsonObject config(final Restconf restconf) {
        return restconf.get(fabric.path() + "?content=config").orFail().json();
    }

    private static Arguments mistake(final String what, final Consumer<FabricFile> how, final String... words) {
        return of(what, how, List.of(words));
    }

    private static void set(final JsonObject node, final String leaf, final String value) {
        node.addProperty(leaf, value);
    }
}
