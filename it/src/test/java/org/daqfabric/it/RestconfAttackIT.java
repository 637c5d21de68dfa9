package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.of;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who can log in, or only connect, writes into state and the controller's store, and sends too much and too slowly:
 * beside it no packet is lost, and the fabric is controlled as before.
 */
@ExtendWith(SharedController.class)
class RestconfAttackIT {
    private static final String PATCH = "application/yang-patch+json";
    private static final String JSON = "application/yang-data+json";
    private static final int LONGEST = 16 << 20; // bytes of a body
    private static final int MORE_THAN_ALL = 600; // connections
    private static final int MORE_THAN_THREADS = 220; // of the web server

    private static LabFabric fabric;
    private static ContinuousPing ping;
    private static JsonObject history;

    @BeforeAll
    static void bringUp(final Lab lab, final Restconf restconf) {
        fabric = lab.converged(lab.generate("attacked", "--planes 2 --spines 2 --pods 1 --ros 1 --racks 1 --dcms 2"));
        history = history(restconf);
        ping = fabric.ping(20).awaitStarted();
    }

    @AfterAll
    static void nothingWasLost() {
        if (ping != null) {
            try {
                ping.assertLostNothing();
            } finally {
                ping.close();
            }
        }
    }

    private static JsonObject history(final Restconf restconf) {
        return restconf.post("operations/daqfabric-operations:list-versions",
            "{\"input\":{\"fabric\":\"" + fabric.name() + "\"}}").orFail().json();
    }

    /** A request that writes what is reserved for the controller. */
    private record Request(String method, String path, String body, String type) {
        Restconf.Answer send(final Restconf restconf) {
            return restconf.send(method, path.replace("FABRIC", fabric.name()), body == null ? null
                : body.replace("FABRIC", fabric.name()).replace('\'', '"'), type);
        }
    }

    private static Arguments request(final int status, final String instead, final String method, final String path,
            final String body, final String type) {
        return of(method + " " + path + " " + (body == null ? "" : body), new Request(method, path, body, type), status,
            instead);
    }

    private static String edit(final String target, final String value) {
        return "{'ietf-yang-patch:yang-patch':{'patch-id':'p','edit':[{'edit-id':'e','operation':'merge','target':'"
            + target + "','value':" + value + "}]}}";
    }

    static Stream<Arguments> reserved() {
        return Stream.of(
            request(403, "rpc rebalance", "PUT", "data/daqfabric-store:decisions",
                "{'daqfabric-store:decisions':{'decision':[{'fabric':'x','route':[{'address':'10.1.1.1'}]}]}}", JSON),
            request(403, "rpc rebalance", "DELETE", "data/daqfabric-store:decisions", null, JSON),
            request(403, "rpc roll-back", "PATCH", "data/daqfabric-store:history",
                "{'daqfabric-store:history':{'fabric':[{'name':'FABRIC','version':[{'number':1,'user':'x'}]}]}}", JSON),
            request(403, "daqfabric-run-control", "PUT", "data/daqfabric-store:partitions",
                "{'daqfabric-store:partitions':{'partition':[{'name':'p'}]}}", JSON),
            request(403, "X-Daqfabric-Reason", "POST", "data/daqfabric:fabrics",
                "{'daqfabric-store:write':[{'id':'1','user':'somebody else'}]}", JSON),
            request(400, "this is state", "PUT", "data/daqfabric:fabrics/fabric=FABRIC/state",
                "{'daqfabric:state':{'phase':'waiting'}}", JSON),
            request(400, "this is state", "PATCH", "data/daqfabric:fabrics/fabric=FABRIC",
                edit("/state", "{'daqfabric:state':{'phase':'waiting'}}"), PATCH),
            request(400, "this is state", "PATCH", "data/daqfabric:fabrics",
                edit("/fabric=FABRIC", "{'daqfabric:fabric':[{'name':'FABRIC','state':{'phase':'waiting'}}]}"), PATCH),
            request(400, "this is state", "PUT", "data/ietf-yang-library:yang-library",
                "{'ietf-yang-library:yang-library':{'content-id':'x'}}", JSON));
    }

    /** It is refused on both ports of RESTCONF, with what to do instead, and nothing comes of it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("reserved")
    void whatIsReservedIsRefused(final String name, final Request request, final int status, final String instead,
            final Distribution controller) {
        for (var restconf : List.of(controller.restconf(),
                new Restconf("http://127.0.0.1:" + controller.port("restconf2") + "/restconf"))) {
            final var refused = request.send(restconf);
            // OpenDaylight's own server says less of a DELETE
            if (restconf.root().endsWith("/rests") || !request.method().equals("DELETE")) {
                assertThat(refused.status()).as(refused.toString()).isEqualTo(status);
                assertThat(refused.errors()).contains(instead);
            }
        }
        assertThat(history(controller.restconf())).isEqualTo(history);
        assertThat(fabric.state().phase()).isEqualTo("converged");
    }

    /** The root of the datastore is not replaced, and what is reserved is not written by a request for it. */
    @Test
    void theRootIsNoWayIn(final Restconf restconf) {
        final var before = restconf.get(fabric.path() + "?content=config").orFail().json();
        for (var method : List.of("PUT", "PATCH")) {
            for (var name : List.of("ietf-restconf:data", "ietf-netconf:data", "data")) {
                for (var inside : List.of("'daqfabric-store:alarms':{}",
                        "'daqfabric:fabrics':{'fabric':[{'name':'FABRIC','state':{'phase':'waiting'}}]}")) {
                    final var refused = new Request(method, "data", "{'" + name + "':{" + inside + "}}", JSON)
                        .send(restconf);
                    assertThat(refused.status()).as(refused.toString()).isBetween(400, 499);
                }
            }
            for (var namespace : List.of("urn:ietf:params:xml:ns:yang:ietf-restconf",
                    "urn:ietf:params:xml:ns:netconf:base:1.0")) {
                for (var inside : List.of("<alarms xmlns='urn:daqfabric:store'/>",
                        "<pending-removals xmlns='urn:daqfabric'/>")) {
                    final var refused = new Request(method, "data", "<data xmlns='" + namespace + "'>" + inside
                        + "</data>", "application/yang-data+xml").send(restconf);
                    assertThat(refused.status()).as(refused.toString()).isBetween(400, 499);
                }
            }
        }
        assertThat(restconf.get(fabric.path() + "?content=config").orFail().json()).isEqualTo(before);
        assertThat(history(restconf)).isEqualTo(history);
    }

    /** A flood of such writes, valid or not, is nothing that a decision waits behind. */
    @Test
    void decisionsDoNotWaitBehindThem(final Restconf restconf) throws Exception {
        final var requests = reserved().map(each -> (Request) each.get()[1]).toList();
        final var over = new AtomicBoolean();
        final var refused = new AtomicInteger();
        try (var attackers = Executors.newFixedThreadPool(4)) {
            final var floods = Stream.generate(() -> attackers.submit(() -> {
                while (!over.get()) {
                    requests.forEach(each -> {
                        if (each.send(restconf).status() < 500) {
                            refused.incrementAndGet();
                        }
                    });
                }
                return null;
            })).limit(4).toList();
            try {
                await("flood").until(() -> refused.get() > 100);
                final var before = refused.get();
                drain(restconf, "drained");
                fabric.awaitState("drained, and stored", state -> state.phase().equals("converged")
                    && !state.links("drained").isEmpty());
                drain(restconf, "in-service");
                fabric.awaitState("as before", state -> state.phase().equals("converged")
                    && state.links("drained").isEmpty());
                assertThat(refused.get()).isGreaterThan(before);
            } finally {
                over.set(true);
            }
            for (var flood : floods) {
                flood.get();
            }
        }
        history = history(restconf);
    }

    private static void drain(final Restconf restconf, final String state) {
        restconf.put(fabric.path() + "/switch=p1s1/admin-state", "{\"daqfabric:admin-state\":\"" + state + "\"}")
            .orFail();
    }

    /** Connections that say nothing, or never end their first line, take nobody's place. */
    @Test
    void connectionsThatSayNothingKeepNobodyOut(final Distribution controller, final Restconf restconf)
            throws IOException {
        final var idle = new ArrayList<Socket>();
        try {
            for (int number = 0; number < MORE_THAN_ALL; number++) {
                final var socket = connect(controller);
                idle.add(socket);
                if (number % 2 == 0) {
                    socket.getOutputStream().write("GET /rests/da".getBytes(StandardCharsets.US_ASCII));
                }
                if (number % 200 == 0) {
                    restconf.get("data/daqfabric:fabrics?content=config").orFail();
                }
            }
            controller.restconf().get("data/daqfabric:fabrics?content=config").orFail();
        } finally {
            for (var each : idle) {
                each.close();
            }
        }
    }

    /** What is too large is not read to its end, and refused. */
    @Test
    void whatIsTooLargeIsRefused(final Distribution controller, final Restconf restconf) throws Exception {
        final var login = "Authorization: Basic " + Base64.getEncoder().encodeToString("admin:admin".getBytes())
            + "\r\n";
        final var put = "PUT /rests/data/daqfabric:fabrics HTTP/1.1\r\nHost: x\r\nContent-Type: " + JSON + "\r\n"
            + login;
        // the answer comes when the server has waited half a minute for the body: both at a time
        try (var clients = Executors.newFixedThreadPool(2)) {
            final var tooLong = clients.submit(() ->
                answer(controller, put + "Content-Length: " + (LONGEST + 1) + "\r\n\r\n", 0));
            final var unknown = clients.submit(() ->
                answer(controller, put.replace(login, "") + "Content-Length: " + LONGEST + "\r\n\r\n", 0));
            assertThat(tooLong.get()).contains(" 413 ");
            assertThat(unknown.get()).contains(" 401 ");
        }
        assertThat(answer(controller, "GET / HTTP/1.1\r\nHost: " + "x".repeat(100_000) + "\r\n\r\n", 0))
            .contains(" 431 ");
        assertThat(answer(controller, put + "Transfer-Encoding: chunked\r\n\r\n", LONGEST + 1)).contains(" 413 ");
        final var entries = restconf.post("operations/daqfabric-operations:plan", "{\"input\":{\"fabric\":\""
            + fabric.name() + "\",\"candidate\":{\"pod\":[" + "{\"id\":1},".repeat(1_000_000) + "{\"id\":1}]}}}");
        assertThat(entries.status()).as("a million entries").isEqualTo(413);
        assertThat(entries.errors()).contains("/input/candidate/pod[", "write its parts one by one");
        restconf.get("data/daqfabric:fabrics?content=config").orFail();
    }

    /** Bodies of who may change nothing take no room of those who may. */
    @Test
    void aViewersBodiesKeepNobodyOut(final Distribution controller, final Restconf restconf) throws IOException {
        final var viewer = Viewer.make(restconf, "reader", "of readers");
        final var head = "POST /rests/operations/daqfabric-operations:traffic HTTP/1.1\r\nHost: x\r\nContent-Type: "
            + JSON + "\r\nAuthorization: " + viewer.authorization() + "\r\nContent-Length: " + LONGEST + "\r\n\r\n";
        final var reading = new ArrayList<Socket>();
        try {
            for (int number = 0; number < 3; number++) {
                final var socket = connect(controller);
                reading.add(socket);
                send(socket, head, LONGEST - 1);
            }
            // the first takes all that viewers have, the others are refused, and none ends by itself for a minute
            for (var refused : reading.subList(1, reading.size())) {
                assertThat(firstLine(refused)).contains(" 503 ");
            }
            restconf.post("operations/daqfabric-operations:list-versions",
                "{\"input\":{\"fabric\":\"" + fabric.name() + "\"}}").orFail();
            restconf.put(fabric.path() + "/switch=p1s1/admin-state",
                " ".repeat(LONGEST / 2) + "{\"daqfabric:admin-state\":\"in-service\"}").orFail();
        } finally {
            for (var each : reading) {
                each.close();
            }
            viewer.remove();
        }
    }

    /** Nor does a user who may change nothing hold the web server's threads, whatever rpc is asked for. */
    @Test
    void aViewersUnendedBodiesKeepNobodyOut(final Distribution controller, final Restconf restconf)
            throws IOException {
        final var viewer = Viewer.make(restconf, "dawdler", "of dawdlers");
        final var head = "POST /rests/operations/daqfabric-planning:goodput HTTP/1.1\r\nHost: x\r\nContent-Type: "
            + JSON + "\r\nAuthorization: " + viewer.authorization() + "\r\nContent-Length: 2\r\n\r\n";
        final var unended = new ArrayList<Socket>();
        try {
            for (int number = 0; number < MORE_THAN_THREADS; number++) {
                final var socket = connect(controller);
                unended.add(socket);
                send(socket, head, 1);
            }
            assertThat(firstLine(unended.getLast())).contains(" 503 ");
            restconf.post("operations/daqfabric-operations:list-versions",
                "{\"input\":{\"fabric\":\"" + fabric.name() + "\"}}").orFail();
            drain(restconf, "in-service");
            // not because they were given up: as many as one user may have, whichever came first
            int unanswered = 0;
            for (var each : unended) {
                unanswered += each.getInputStream().available() == 0 ? 1 : 0;
            }
            assertThat(unanswered).isGreaterThanOrEqualTo(50);
        } finally {
            for (var each : unended) {
                each.close();
            }
            viewer.remove();
        }
    }

    /** OpenDaylight logs each with a stack trace. */
    @Test
    void refusedWritesDoNotFillTheLog(final Distribution controller, final Restconf restconf) {
        final var log = new ControllerLog(controller);
        for (int number = 0; number < 60; number++) {
            assertThat(restconf.delete(fabric.path() + "/switch=p1s1").status()).isEqualTo(409);
        }
        assertThat(log.newEntries().stream().filter(entry -> entry.logger().equals("CommitCohort")))
            .hasSizeLessThanOrEqualTo(20);
        assertThat(history(restconf)).isEqualTo(history);
    }

    private static Socket connect(final Distribution controller) throws IOException {
        final var socket = new Socket(InetAddress.getLoopbackAddress(), controller.port("restconf"));
        socket.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
        return socket;
    }

    /** The first line of the answer to a request with a chunked body of a length; 0 for none. */
    private static String answer(final Distribution controller, final String head, final int body) throws IOException {
        try (var socket = connect(controller)) {
            final var out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            final var chunk = ("10000\r\n" + " ".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            try {
                for (int sent = 0; sent < body; sent += 0x10000) {
                    out.write(chunk);
                }
            } catch (IOException e) {
                // it was not read to its end; the answer came before
            }
            return firstLine(socket);
        }
    }

    /** Sends a head and as many spaces. */
    private static void send(final Socket socket, final String head, final int length) throws IOException {
        final var out = socket.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        try {
            out.write(" ".repeat(length).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // it was not read to its end; the answer came before
        }
    }

    private static String firstLine(final Socket socket) throws IOException {
        final var in = socket.getInputStream();
        final var line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
