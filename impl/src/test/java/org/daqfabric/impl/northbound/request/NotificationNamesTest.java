package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.RunState;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.controller.md.sal.remote.rev140114.CreateNotificationStream;
import org.opendaylight.yang.gen.v1.urn.sal.restconf.event.subscription.rev231103.CreateNotificationStreamInput1;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.xml.XmlCodecFactory;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.SchemaNode;

/** OpenDaylight would answer such input by a 500, with a stack trace in the log. */
class NotificationNamesTest {
    private static final String RPC = "/operations/sal-remote:create-notification-stream";
    private static final String DATA = "/operations/sal-remote:create-data-change-event-subscription";
    private static final String RUN_STATE = "(urn:daqfabric:run-control?revision=2026-11-21)run-state";

    private static EffectiveModelContext model;

    @BeforeAll
    static void read() {
        model = BindingRuntimeHelpers.createRuntimeContext(RunState.class, CreateNotificationStream.class,
            CreateNotificationStreamInput1.class).modelContext();
    }

    private static Optional<Fault> fault(String path, String body) {
        Target target = Target.of(model, "POST", path).orElseThrow();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return body.startsWith("<") ? XmlBody.fault(target, XmlCodecFactory.create(model), bytes)
            : JsonBody.fault(target, JSONCodecFactorySupplier.RFC7951.getShared(model), bytes);
    }

    private static String input(String... names) {
        JsonArray list = new JsonArray();
        List.of(names).forEach(list::add);
        JsonObject leaves = new JsonObject();
        leaves.add("notifications", list);
        JsonObject input = new JsonObject();
        input.add("input", leaves);
        return input.toString();
    }

    private static Fault refused(String path, String body) {
        Fault fault = fault(path, body).orElseThrow();
        assertThat(fault.status()).as(fault.toString()).isEqualTo(400);
        assertThat(fault.message()).startsWith("/input");
        return fault;
    }

    @Test
    void whatThereIsIsTaken() {
        List<String> all = model.getNotifications().stream().map(SchemaNode::getQName).map(QName::toString).toList();
        assertThat(all).contains(RUN_STATE).hasSizeGreaterThan(5);
        assertThat(fault(RPC, input(all.toArray(String[]::new)))).isEmpty();
        assertThat(fault(RPC, "<input xmlns='urn:opendaylight:params:xml:ns:yang:controller:md:sal:remote'>"
            + "<notifications>" + RUN_STATE + "</notifications></input>")).isEmpty();
    }

    /** Somebody who knows the name, but not how it is written, is told that. */
    @ParameterizedTest
    @ValueSource(strings = { "run-state", "daqfabric-run-control:run-state", "{urn:daqfabric:run-control}run-state",
        "(urn:daqfabric:run-control)run-state", "(urn:daqfabric:run-control?revision=2020-01-01)run-state",
        "(urn:daqfabric:run-control?revision=2026-13-41)run-state",
        "urn:daqfabric:run-control#run-state" })
    void aNameThatIsWrittenOtherwise(String name) {
        Fault fault = refused(RPC, input(RUN_STATE, name));
        assertThat(fault.tag().elementBody()).isEqualTo("invalid-value");
        assertThat(fault.path()).isEqualTo("/sal-remote:input/notifications");
        assertThat(fault.message()).contains("'" + name + "' is no notification here: write " + RUN_STATE);
    }

    @Test
    void aMistypedNameIsToldThoseOfItsModule() {
        for (String name : new String[] { "(urn:daqfabric:run-control?revision=2026-11-21)run-sate",
            "(urn:daqfabric:run-control?revision=2026-11-21run-state", "daqfabric-run-control:run_state" }) {
            assertThat(refused(RPC, input(name)).message())
                .contains("'" + name + "' is no notification here: there are ", RUN_STATE)
                .doesNotContain("data-changed-notification");
        }
        // the rpc's own module has one notification
        assertThat(refused(RPC, input("sal-remote:x")).message()).contains(": write ", "data-changed-notification");
        assertThat(refused(RPC, input("")).message()).contains("'' is no notification here: there are ", RUN_STATE);
        assertThat(refused(RPC, input("(urn:daqfabric:run-control?revision=2026-11-21)start-run")).message())
            .as("an rpc").contains("is no notification here");
        assertThat(refused(RPC, input("x".repeat(5000))).message()).hasSizeLessThan(2000);
    }

    @Test
    void oneWithoutNamesIsToldToGiveThem() {
        for (String body : new String[] { "{\"input\":{}}", "{\"input\":{\"notifications\":[]}}", "{}", "", "[]",
            "{\"input\":5}", "{\"input\":{\"notifications\":5}}", "<input", "{\"input\":{\"notification\":[\"x\"]}}",
            "{\"input\":{\"notifications\":[{}]}}", "<x/>",
            "{\"input\":{\"notifications\":[\"x\"],\"sal-remote-augment:notification-output-type\":\"TEXT\"}}" }) {
            assertThat(fault(RPC, body)).as(body).isPresent();
        }
        assertThat(refused(RPC, "{\"input\":{}}").message())
            .contains("/input/notifications: name what the stream is to tell: there are ", RUN_STATE);
    }

    @Test
    void whatOtherRpcsThatMakeStreamsCannotRead() {
        assertThat(fault(DATA, "{\"input\":{\"path\":\"/sal-remote:x\"}}")).isPresent();
        assertThat(refused(DATA, "{\"input\":{\"sal-remote-augment:datastore\":\"CONFIG\"}}").message())
            .contains("'CONFIG' is not one of OPERATIONAL, CONFIGURATION");
        assertThat(refused(DATA, "{\"input\":{\"sal-remote-augment:scope\":\"ALL\"}}").message())
            .contains("'ALL' is not one of BASE, ONE, SUBTREE");
        assertThat(refused(DATA, "{\"input\":{\"paths\":\"/\"}}").message()).contains("there is no such node", "path");
        assertThat(fault(DATA, "{\"input\":{\"sal-remote-augment:datastore\":\"OPERATIONAL\"}}")).isEmpty();
    }

    /** Whatever is sent in the place of a name is refused, or known, and nothing is thrown. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void noNameTripsIt(long seed) {
        Random random = new Random(seed);
        String alphabet = "()?={}:-/ '\"\\\t2026urndaqfabric\u00e9\ud83d\ude00";
        int known = 0;
        for (int count = 0; count < 3000; count++) {
            StringBuilder name = new StringBuilder(RUN_STATE);
            for (int change = random.nextInt(3); change > 0; change--) {
                int place = random.nextInt(name.length());
                switch (random.nextInt(3)) {
                    case 0 -> name.deleteCharAt(place);
                    case 1 -> name.insert(place, alphabet.charAt(random.nextInt(alphabet.length())));
                    default -> name.setLength(place + 1);
                }
            }
            boolean isKnown = name.toString().equals(RUN_STATE);
            known += isKnown ? 1 : 0;
            assertThat(fault(RPC, input(name.toString())).isEmpty()).as("%s", name).isEqualTo(isKnown);
        }
        assertThat(known).isPositive();
    }
}
