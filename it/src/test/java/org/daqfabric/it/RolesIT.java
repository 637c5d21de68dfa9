package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may do what, as docs/security.md says it: every row of its tables by every role, and by nobody. */
@ExtendWith(SharedController.class)
class RolesIT {
    private static final Pattern ROW = Pattern.compile("\\| `([A-Z]+) (/\\S*)` \\|(.*)\\|");
    private static final Pattern RPC_ROW = Pattern.compile("\\| `([a-z-]+:[a-z-]+)` \\| (\\w+) \\|");
    /** In the order of the columns, after nobody. */
    private static final List<String> ROLES = List.of("scraper", "viewer", "operator", "admin");
    private static final String PASSWORD = "of roles";
    private static final String SERVED = "yes";
    private static final String REFUSED = "refused";
    private static final String NEVER = "no";
    /** Because of who asks. */
    private static final Set<Integer> REFUSALS = Set.of(401, 403);
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(15)).build();

    private static String first;
    private static String second;

    /** A request of the table, and its answer for nobody and for each role. */
    private record Row(String method, String path, List<String> answers) {
        /** The same at the second RESTCONF server, of which only RESTCONF is there. */
        Row atSecond() {
            return new Row(method, path.replaceFirst("^/rests", "/restconf"), answers);
        }
    }

    @BeforeAll
    static void makeUsers(final Distribution controller) throws Exception {
        first = "http://127.0.0.1:" + controller.port("restconf");
        second = "http://127.0.0.1:" + controller.port("restconf2");
        final var auth = first + "/auth/v1/";
        for (var role : ROLES) {
            if (send("GET", auth + "roles/" + role + "@sdn", "admin:admin", "") == 404) {
                assertThat(send("POST", auth + "roles", "admin:admin",
                    "{\"name\":\"" + role + "\",\"description\":\"\",\"domainid\":\"sdn\"}")).isEqualTo(201);
            }
            final var user = user(role);
            assertThat(send("POST", auth + "users", "admin:admin",
                "{\"name\":\"" + user + "\",\"password\":\"" + PASSWORD + "\",\"domainid\":\"sdn\"}")).isEqualTo(201);
            assertThat(send("POST", auth + "domains/sdn/users/" + user + "@sdn/roles", "admin:admin",
                "{\"roleid\":\"" + role + "@sdn\"}")).isEqualTo(201);
        }
    }

    @Test
    void everyRequestIsForWhomTheTableSays() throws Exception {
        final var rows = rows();
        assertThat(rows).hasSizeGreaterThan(30);
        final var soft = new SoftAssertions();
        for (var row : rows) {
            walk(soft, first, row);
            if (row.path.startsWith("/rests")) {
                walk(soft, second, row.atSecond());
            }
        }
        soft.assertAll();
    }

    @Test
    void everyRpcIsForWhomTheTableSays() throws Exception {
        final var soft = new SoftAssertions();
        for (var rpc : rpcRoles().entrySet()) {
            final var answers = new ArrayList<>(List.of("401"));
            final int least = ROLES.indexOf(rpc.getValue());
            assertThat(least).as(rpc.getKey()).isPositive();
            for (int index = 0; index < ROLES.size(); index++) {
                answers.add(index < least ? "403" : SERVED);
            }
            final var row = new Row("POST", "/rests/operations/" + rpc.getKey(), answers);
            walk(soft, first, row);
            walk(soft, second, row.atSecond());
        }
        soft.assertAll();
    }

    /** The rpcs that the table does not name are for admin, who is not to call them here. */
    @Test
    void everyOtherRpcIsForAdmin(final Restconf restconf) throws Exception {
        final var listed = rpcRoles().keySet();
        final var others = restconf.get("operations").orFail().json().getAsJsonObject("ietf-restconf:operations")
            .keySet().stream().filter(rpc -> !listed.contains(rpc)).toList();
        assertThat(others).hasSizeGreaterThan(10).noneMatch(rpc -> rpc.startsWith("daqfabric"))
            .contains("sal-remote:create-data-change-event-subscription");
        final var soft = new SoftAssertions();
        for (var rpc : others) {
            final var row = new Row("POST", "/rests/operations/" + rpc, List.of("401", REFUSED, REFUSED, REFUSED));
            walk(soft, first, row);
            walk(soft, second, row.atSecond());
        }
        soft.assertAll();
    }

    /** An address that is read in another way by whoever answers it leads nowhere else. */
    @Test
    void noOtherWayLeadsThere() throws Exception {
        final var soft = new SoftAssertions();
        for (var path : List.of("/metrics/..;/rests/data", "/metrics//../rests/data", "/rests/data;a/", "/rests/%64ata",
                "/rests/data/daqfabric:fabrics/..;/aaa-cert:aaa-cert-service-config", "/rests/./data")) {
            for (var role : List.of("scraper", "viewer", "operator")) {
                soft.assertThat(send("GET", first + path, login(role), "")).as(role + " " + path)
                    .isIn(400, 403, 404);
            }
        }
        soft.assertAll();
    }

    /** The first start makes an account for each role and one for the shell; their owner alone reads the passwords. */
    @Test
    void theFirstAccountsHavePasswordsOfTheirOwn(final Distribution controller) throws Exception {
        for (var role : List.of("scraper", "viewer", "operator")) {
            final var file = controller.home().resolve("data/accounts").resolve(role);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
            final var login = Files.readString(file).strip().replaceAll("^user = \"|\"$", "");
            assertThat(login).matches(role + ":[A-Za-z0-9_-]{24}");
            assertThat(send("GET", first + "/metrics/", login, "")).as(role).isEqualTo(200);
            assertThat(send("GET", first + "/metrics/", role + ':' + role, "")).as(role).isEqualTo(401);
        }
        assertThat(Files.readString(controller.home().resolve("etc/users.properties")))
            .containsPattern("(?m)^karaf = [A-Za-z0-9_-]{24},");
        try (var shell = new Shell(controller)) {
            assertThat(shell.run("shell:echo over ssh").orFail().output()).contains("over ssh");
        }
        assertThat(controller.shell("shell:echo by the client")).contains("by the client");
        assertThat(controller.logLines()).anyMatch(line -> line.contains("made the accounts")
            && line.contains("data/accounts"));
    }

    /** Wrong passwords count together, at whichever site; who has logged in elsewhere is kept out by none of them. */
    @Test
    void guessedPasswordsAreSlowedDown() throws Exception {
        assertThat(send("GET", first + "/metrics/", login("operator"), "")).isEqualTo(200);
        final var sites = List.of(first + "/rests/data/daqfabric:fabrics?content=config", first + "/metrics/",
            first + "/jolokia/version", first + "/auth/v1/users",
            second + "/restconf/data/daqfabric:fabrics?content=config");
        assertSlowedDown(guess("127.0.0.77", sites));
        for (var site : List.of(first + "/metrics/", sites.getFirst(), sites.getLast())) {
            // there may be no fabric
            assertThat(send("GET", site, login("operator"), "")).as(site).isNotIn(401, 403, 429);
        }
    }

    /** Another application has something before all requests, and before what is ours there. */
    @Test
    void anotherApplicationDisplacesNoGuard(final Distribution controller) throws Exception {
        try (var guest = new GuestBundle(controller)) {
            guest.awaitPassed(first + "/metrics/");
            assertSlowedDown(guess("127.0.0.78", List.of(first + "/metrics/", first + "/jolokia/version")));
        }
    }

    private static void assertSlowedDown(final List<Integer> answers) {
        assertThat(answers.subList(0, 10)).containsOnly(401);
        // where the machine stands for a second another one or two are looked at
        assertThat(answers).filteredOn(status -> status == 429).hasSizeGreaterThanOrEqualTo(8);
    }

    /** The answers to twenty wrong passwords from an address, at sites in turn. */
    private static List<Integer> guess(final String address, final List<String> sites) throws Exception {
        final var answers = new ArrayList<Integer>();
        try (var guesser = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .localAddress(InetAddress.getByName(address)).build()) {
            for (int number = 0; number < 20; number++) {
                final var login = user("operator") + ":guess" + number;
                final var answer = guesser.send(HttpRequest.newBuilder(URI.create(sites.get(number % sites.size())))
                    .timeout(Duration.ofSeconds(30)).header("Authorization", "Basic "
                        + Base64.getEncoder().encodeToString(login.getBytes())).build(), BodyHandlers.discarding());
                answers.add(answer.statusCode());
                if (answer.statusCode() != 401) {
                    assertThat(answer.statusCode()).isEqualTo(429);
                    assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 30L);
                }
            }
        }
        return answers;
    }

    private static void walk(final SoftAssertions soft, final String server, final Row row) throws Exception {
        for (int index = 0; index < row.answers.size(); index++) {
            final var role = index == 0 ? "nobody" : ROLES.get(index - 1);
            final var status = send(row.method, server + row.path, index == 0 ? "" : login(role),
                row.method.equals("GET") || row.method.equals("DELETE") ? "" : "{}");
            final var expected = row.answers.get(index);
            final var what = role + ": " + row.method + ' ' + row.path + " at " + server;
            if (expected.equals(SERVED)) {
                soft.assertThat(status).as(what).isNotIn(REFUSALS);
            } else if (expected.equals(NEVER)) {
                // the second server answers 500 to a body that it cannot read
                soft.assertThat(status).as(what).isGreaterThanOrEqualTo(400);
            } else if (expected.equals(REFUSED)) {
                soft.assertThat(status).as(what).isIn(REFUSALS);
            } else {
                soft.assertThat(status).as(what).isEqualTo(Integer.parseInt(expected));
            }
        }
    }

    private static String user(final String role) {
        return "some-" + role;
    }

    private static String login(final String role) {
        return user(role) + ':' + PASSWORD;
    }

    private static List<Row> rows() throws IOException {
        return table().stream().map(ROW::matcher).filter(row -> row.matches()).map(row -> new Row(row.group(1),
            row.group(2), Arrays.stream(row.group(3).split("\\|")).map(String::strip).toList())).toList();
    }

    private static Map<String, String> rpcRoles() throws IOException {
        final var roles = new TreeMap<String, String>();
        table().stream().map(RPC_ROW::matcher).filter(row -> row.matches())
            .forEach(row -> roles.put(row.group(1), row.group(2)));
        return roles;
    }

    private static List<String> table() throws IOException {
        return Files.readAllLines(Distribution.projectRoot().resolve("docs/security.md"));
    }

    /** The status of the answer, of which the body is not read: a stream's has no end. */
    private static int send(final String method, final String url, final String login, final String body)
            throws Exception {
        final var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30))
            .header("Accept", "application/yang-data+json, */*;q=0.1")
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", url.contains("/auth/") ? "application/json" : "application/yang-data+json");
        }
        if (!login.isEmpty()) {
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes()));
        }
        final var answer = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
        try (var unread = answer.body()) {
            return answer.statusCode();
        }
    }
}
