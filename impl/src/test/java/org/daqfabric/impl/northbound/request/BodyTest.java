package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Plan;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.xml.XmlCodecFactory;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** A body that cannot be taken is answered with what is wrong, where, and what to write. */
class BodyTest {
    private static final String PLAN = "/operations/daqfabric-operations:plan";

    private static EffectiveModelContext model;

    @BeforeAll
    static void read() {
        model = BindingRuntimeHelpers.createRuntimeContext(Fabrics.class, Plan.class).modelContext();
    }

    private static Optional<Fault> fault(String method, String path, String body) {
        Target target = Target.of(model, method, path).orElseThrow();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return body.startsWith("<") ? XmlBody.fault(target, XmlCodecFactory.create(model), bytes)
            : JsonBody.fault(target, JSONCodecFactorySupplier.RFC7951.getShared(model), bytes);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "input-faults.csv", delimiter = '|', quoteCharacter = '`')
    void inputOfAnRpc(String body, String tag, String path, String message) {
        Fault fault = fault("POST", PLAN, body).orElseThrow();
        assertThat(fault.tag().elementBody()).as(fault.toString()).isEqualTo(tag);
        assertThat(fault.path()).as(fault.toString()).contains(path);
        assertThat(fault.message()).contains(message);
        assertThat(fault.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "configuration-faults.csv", delimiter = '|', quoteCharacter = '`')
    void configuration(String method, String below, String body, String tag, String path, String message) {
        Fault fault = fault(method, "/data/daqfabric:fabrics/fabric=f" + (below == null ? "" : below), body)
            .orElseThrow();
        assertThat(fault.tag().elementBody()).as(fault.toString()).isEqualTo(tag);
        assertThat(fault.path()).as(fault.toString()).endsWith(path);
        assertThat(fault.message()).contains(message).startsWith("/");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "allowed.csv", delimiter = '|', quoteCharacter = '`')
    void whatTheModelAllowsIsLeftToOthers(String method, String path, String body) {
        assertThat(fault(method, path, body)).isEmpty();
    }

    /** RESTCONF would fail over it, or write the value elsewhere. */
    @ParameterizedTest
    @CsvFileSource(resources = "patch-faults.csv", delimiter = '|', quoteCharacter = '`')
    void editOfAPatch(String path, String edit, String tag, String place, String message) {
        Fault fault = patchFault(path, edit).orElseThrow();
        assertThat(fault.tag().elementBody()).as(fault.toString()).isEqualTo(tag);
        assertThat(fault.path()).as(fault.toString()).endsWith(place);
        assertThat(fault.message()).contains(message).startsWith("/");
        assertThat(fault.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "patch-allowed.csv", delimiter = '|', quoteCharacter = '`')
    void patchThatIsLeftToOthers(String path, String edit) {
        assertThat(patchFault(path, edit)).isEmpty();
    }

    /** An edit after a good one, and one outside of the list, which RESTCONF reads as well. */
    @ParameterizedTest
    @ValueSource(strings = {
        "{'ietf-yang-patch:yang-patch':{'edit':[{'target':'/mtu','value':{'daqfabric:mtu':1500}},EDIT]}}",
        "{'ietf-yang-patch:yang-patch':{'edit':[],'edit':EDIT}}", "[{'edit':EDIT}]" })
    void everyEditOfAPatch(String patch) {
        byte[] body = patch.replace("EDIT", "{'target':'/mtu','value':{'daqfabric:mtu':null}}").replace('\'', '"')
            .getBytes(StandardCharsets.UTF_8);
        assertThat(PatchBody.fault(model, JSONCodecFactorySupplier.RFC7951.getShared(model),
            "/data/daqfabric:fabrics/fabric=f", body).map(Fault::path))
            .contains("/daqfabric:fabrics/fabric[name='f']/mtu");
    }

    private static Optional<Fault> patchFault(String path, String edit) {
        return PatchBody.fault(model, JSONCodecFactorySupplier.RFC7951.getShared(model), path,
            ("{\"ietf-yang-patch:yang-patch\":{\"patch-id\":\"1\",\"edit\":" + edit + "}}")
                .getBytes(StandardCharsets.UTF_8));
    }

    /** What is not ours, or not there, is RESTCONF's to answer. */
    @Test
    void onlyOurModulesAreRead() {
        for (String path : new String[] { "/data/ietf-yang-library:modules-state", "/data/daqfabric:nobody",
            "/data/nobody:nothing", "/data/fabrics", "/operations/sal-remote:x", "/operations/daqfabric:nobody",
            "/operations/x", "/data/%", "/modules/daqfabric", "/streams", "" }) {
            assertThat(Target.of(model, "PUT", path)).as(path).isEmpty();
        }
        Target root = Target.of(model, "POST", "/data").orElseThrow();
        assertThat(root.isRoot()).isTrue();
        assertThat(JsonBody.isOurs(root, "{\"daqfabric:fabrics\":{}}".getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(JsonBody.isOurs(root, "{\"other:x\":{}}".getBytes(StandardCharsets.UTF_8))).isFalse();
        assertThat(JsonBody.isOurs(root, "{}".getBytes(StandardCharsets.UTF_8))).isFalse();
        assertThat(JsonBody.isOurs(root, "[".getBytes(StandardCharsets.UTF_8))).isFalse();
        assertThat(nothing("{}", "[]", "[5]", " ", "{", "5")).doesNotContain(false);
        assertThat(nothing("{\"other:x\":{}}", "}", "{x}")).doesNotContain(true);
        assertThat(XmlBody.isOurs(root, "<fabrics xmlns='urn:daqfabric'/>".getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(XmlBody.isOurs(root, "<x xmlns='urn:other'/>".getBytes(StandardCharsets.UTF_8))).isFalse();
    }

    private static List<Boolean> nothing(String... bodies) {
        return Stream.of(bodies).map(body -> JsonBody.isNothing(body.getBytes(StandardCharsets.UTF_8))).toList();
    }

    /** Neither makes the filter fail or read a file. */
    @Test
    void hostileBodies() {
        assertThat(fault("POST", PLAN, "{\"input\":".repeat(50_000)).map(Fault::status)).contains(400);
        assertThat(fault("POST", PLAN, "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>"
            + "<input xmlns='urn:daqfabric:operations'><fabric>&e;</fabric></input>").map(Fault::status)).contains(400);
    }
}
