package org.daqfabric.it;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Something that requests change again and again. What the controller knows tells which one was the last. */
abstract class AnsweredChange {
    private static final String JSON = "application/json";

    final Restconf restconf;
    /** Number of the last request that was made, from 1, and of the last one that was answered. */
    volatile int asked;
    volatile int answered;

    AnsweredChange(final Restconf restconf) {
        this.restconf = restconf;
    }

    /** Makes a request, which follows the one before. One that is refused for the moment is made again. */
    abstract Restconf.Answer make(int number);

    /** Whether what the controller knows is exactly what these many requests have made. */
    abstract boolean isDone(int number);

    /** What the controller knows, for a message. */
    abstract String known();

    /** A fabric of its own without switches that run, whose configuration is written as a whole. */
    static final class Configuration extends AnsweredChange {
        private static final int LEAST = 1500;
        private static final int SPAN = 5000;

        private final FabricFile file;
        private final String path;

        Configuration(final Restconf restconf, final FabricFile file) {
            super(restconf);
            this.file = file;
            path = "data/daqfabric:fabrics/fabric=" + file.name();
        }

        private static int mtu(final int number) {
            return LEAST + number % SPAN;
        }

        @Override
        Restconf.Answer make(final int number) {
            file.fabric().addProperty("mtu", mtu(number));
            file.fabric().addProperty("link-capacity", Integer.toString(mtu(number)));
            return restconf.put(path, file.json());
        }

        @Override
        boolean isDone(final int number) {
            final var fabric = JsonParser.parseString(known()).getAsJsonObject().getAsJsonArray("daqfabric:fabric")
                .get(0).getAsJsonObject();
            return fabric.get("mtu").getAsInt() == mtu(number)
                && fabric.get("link-capacity").getAsDouble() == mtu(number);
        }

        @Override
        String known() {
            return restconf.get(path + "?content=config").orFail().body();
        }
    }

    /** Which of the spines of a fabric are drained: a number in binary. */
    static final class Drains extends AnsweredChange {
        private final String path;
        private final List<String> spines;

        Drains(final Restconf restconf, final FabricFile file) {
            super(restconf);
            path = "data/daqfabric:fabrics/fabric=" + file.name();
            spines = file.switches().stream().filter(each -> each.contains("s")).sorted().toList();
            restconf.put(path, file.json()).orFail();
        }

        /** Those that are drained. */
        private List<String> drained(final int number) {
            final int shown = number % ((1 << spines.size()) - 1);
            return IntStream.range(0, spines.size()).filter(spine -> (shown >> spine & 1) == 1).mapToObj(spines::get)
                .toList();
        }

        @Override
        Restconf.Answer make(final int number) {
            final var drained = drained(number);
            return restconf.patch(path, "{\"daqfabric:fabric\":[{\"name\":\"" + path.substring(path.indexOf('=') + 1)
                + "\",\"switch\":[" + spines.stream().map(each -> "{\"name\":\"" + each + "\",\"admin-state\":\""
                    + (drained.contains(each) ? "drained" : "in-service") + "\"}").collect(Collectors.joining(","))
                + "]}]}");
        }

        @Override
        boolean isDone(final int number) {
            final var fabric = JsonParser.parseString(known()).getAsJsonObject().getAsJsonArray("daqfabric:fabric")
                .get(0).getAsJsonObject();
            return FabricFile.entries(fabric, "switch").stream()
                .filter(each -> each.has("admin-state") && each.get("admin-state").getAsString().equals("drained"))
                .map(each -> each.get("name").getAsString()).sorted().toList().equals(drained(number));
        }

        @Override
        String known() {
            return restconf.get(path + "?content=config").orFail().body();
        }
    }

    /** Users and their roles, one after another: an odd request makes a user, an even one gives the role. */
    static final class Roles extends AnsweredChange {
        private static final String USERS = "users";
        private static final String PASSWORD = "a-long-one";

        private final Restconf accounts;

        Roles(final Restconf restconf) {
            super(restconf);
            accounts = new Restconf(restconf.root().replaceFirst("/rests$", "/auth/v1"));
        }

        private static String user(final int number) {
            return "killed-" + (number + 1) / 2;
        }

        @Override
        Restconf.Answer make(final int number) {
            return number % 2 == 1 ? accounts.send("POST", USERS, "{\"name\":\"" + user(number)
                + "\",\"password\":\"" + PASSWORD + "\",\"domainid\":\"sdn\"}", JSON, JSON)
                : accounts.send("POST", "domains/sdn/users/" + user(number) + "@sdn/roles",
                    "{\"roleid\":\"viewer@sdn\"}", JSON, JSON);
        }

        @Override
        boolean isDone(final int number) {
            final var known = users();
            return known.size() == (number + 1) / 2 && known.contains(user(number))
                && restconf.as(user(number) + ":" + PASSWORD).get("data/daqfabric:fabrics?content=config").status()
                    == (number % 2 == 1 ? 401 : 200); // AAA lets in nobody without a role
        }

        private List<String> users() {
            final var all = new ArrayList<String>();
            JsonParser.parseString(known()).getAsJsonObject().getAsJsonArray(USERS).forEach(each ->
                all.add(each.getAsJsonObject().get("name").getAsString()));
            return all.stream().filter(each -> each.startsWith("killed-")).toList();
        }

        @Override
        String known() {
            return accounts.send("GET", USERS, null, JSON, JSON).orFail().body();
        }

        void remove() {
            users().forEach(each -> accounts.send("DELETE", USERS + "/" + each + "@sdn", null, JSON, JSON));
        }
    }

    /** What operators have done about an alarm. */
    static final class Alarms extends AnsweredChange {
        private final String type;
        private final String resource;

        Alarms(final Restconf restconf, final String type, final String resource) {
            super(restconf);
            this.type = type;
            this.resource = resource;
        }

        private static String state(final int number) {
            return number % 2 == 1 ? "shelved" : "un-shelved";
        }

        @Override
        Restconf.Answer make(final int number) {
            return restconf.post("operations/daqfabric-alarms:set-operator-state", "{\"input\":{\"resource\":\""
                + resource + "\",\"alarm-type-id\":\"" + type + "\",\"state\":\"" + state(number) + "\",\"text\":\""
                + number + "\"}}");
        }

        @Override
        boolean isDone(final int number) {
            final var newest = FabricFile.entries(alarm(), "operator-state-change").stream()
                .max(Comparator.comparing(each -> each.get("time").getAsString())).orElseGet(JsonObject::new);
            return newest.has("text") && newest.get("text").getAsString().equals(Integer.toString(number))
                && newest.get("state").getAsString().equals(state(number));
        }

        private JsonObject alarm() {
            return AlarmWatch.awaitIn(restconf, type, resource, false);
        }

        @Override
        String known() {
            return alarm().toString();
        }
    }

    /** Runs of a partition: an odd request starts one, an even one stops it. */
    static final class Runs extends AnsweredChange {
        private final RunPartition partition;

        Runs(final Restconf restconf, final String fabric) {
            super(restconf);
            partition = new RunPartition(restconf, "killed-" + fabric, fabric).prepared("").armed();
        }

        private static int run(final int number) {
            return (number + 1) / 2;
        }

        @Override
        Restconf.Answer make(final int number) {
            return number % 2 == 1 ? partition.ask("start-run", ",\"run-number\":" + run(number))
                : partition.ask("stop-run", "");
        }

        @Override
        boolean isDone(final int number) {
            final var json = partition.json();
            return json.get("state").getAsString().equals(number % 2 == 1 ? "running" : "ready")
                && json.getAsJsonObject("run").get("run-number").getAsInt() == run(number)
                && json.getAsJsonObject("run").has("ended") == (number % 2 == 0);
        }

        @Override
        String known() {
            return partition.json().toString();
        }
    }

    /** A topology that has its own shard, so large that OpenDaylight writes it to a file beside its journal. */
    static final class Large extends AnsweredChange {
        private static final String PATH = "data/network-topology:network-topology/topology=killed";
        private static final int NODES = 400;
        private static final String FILLING = "n".repeat(1000);

        Large(final Restconf restconf) {
            super(restconf);
        }

        @Override
        Restconf.Answer make(final int number) {
            return restconf.put(PATH, "{\"network-topology:topology\":[{\"topology-id\":\"killed\",\"node\":["
                + IntStream.range(0, NODES).mapToObj(node -> "{\"node-id\":\"" + number + "-" + node + FILLING + "\"}")
                    .collect(Collectors.joining(",")) + "]}]}");
        }

        @Override
        boolean isDone(final int number) {
            final var topology = JsonParser.parseString(restconf.get(PATH + "?content=config").orFail().body())
                .getAsJsonObject().getAsJsonArray("network-topology:topology").get(0).getAsJsonObject();
            return topology.getAsJsonArray("node").size() == NODES && FabricFile.entries(topology, "node").stream()
                .allMatch(each -> each.get("node-id").getAsString().startsWith(number + "-"));
        }

        @Override
        String known() {
            return restconf.get(PATH + "?content=config").orFail().body().substring(0, 200);
        }

        void remove() {
            restconf.delete("data/network-topology:network-topology");
        }
    }
}
