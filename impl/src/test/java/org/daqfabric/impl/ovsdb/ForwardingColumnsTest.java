package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.daqfabric.impl.ovsdb.ForwardingColumn.Form;
import org.daqfabric.impl.ovsdb.ForwardingColumn.Handling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForwardingColumnsTest {
    private static final Path SCHEMA = Path.of("/usr/share/openvswitch/vswitch.ovsschema");
    private static final Path MANUAL = Path.of("/usr/share/man/man5/ovs-vswitchd.conf.db.5.gz");
    private static final Pattern SECTION = Pattern.compile("\\.SH (\"(\\w+) TABLE\")?.*");
    private static final Pattern KEY = Pattern.compile("\\.IP \"\\\\fB(\\w+) : (.+?)\\\\fR.*");
    private static final Path PAGE = Path.of("../docs/operations.md");
    private static final String BEGIN = "<!-- columns of Open vSwitch: made by ForwardingColumnsTest -->\n";
    private static final String END = "<!-- end of the columns -->\n";
    /** Columns that the oldest Open vSwitch which is supported, 3.1, does not have. */
    private static final Set<String> NEWER = Set.of("Mirror filter");
    private static final String[] TABLES = {"Open_vSwitch", "Bridge", "Port", "Interface", "Controller", "Manager",
        "Mirror", "QoS", "Queue"};

    private final MemoryDatabase database = new MemoryDatabase("leaf");
    private final Bridge bridge = TestBridges.bridge("br-daq", Map.of("up", TestBridges.bfd(1)));
    private final Desired wanted = new Desired(new TreeMap<>(Map.of("br-daq", bridge)), Map.of(), false, Map.of(),
        new TreeSet<>(Set.of("tcp:10.0.0.1:6653")), "0123456789abcdef01234567");

    static Stream<String> tables() {
        return Stream.of(TABLES);
    }

    static Stream<ForwardingColumn> compared() {
        return ForwardingColumns.all().stream()
            .filter(each -> each.isCompared() && !each.table().equals("Open_vSwitch"));
    }

    /** No column of the installed Open vSwitch is forgotten, and none is made up. */
    @ParameterizedTest
    @MethodSource("tables")
    void everyColumnOfTheSchemaIsInTheTable(String table) throws IOException {
        JsonObject columns = JsonParser.parseString(Files.readString(SCHEMA)).getAsJsonObject()
            .getAsJsonObject("tables").getAsJsonObject(table).getAsJsonObject("columns");
        Set<String> known = ForwardingColumns.of(table).stream().map(ForwardingColumn::column)
            .filter(column -> columns.has(column) || !NEWER.contains(table + " " + column)).collect(Collectors.toSet());
        assertThat(known).isEqualTo(columns.keySet());
    }

    /**
     * Every key of a map that the manual of the installed Open vSwitch describes has a line, its own or that of the
     * whole column.
     */
    @Test
    void everyKeyOfTheManualIsInTheTable() throws IOException {
        assumeThat(Files.exists(MANUAL)).as("the manual is installed").isTrue();
        Set<String> tables = Set.of(TABLES);
        Set<String> keys = new TreeSet<>();
        Set<String> forgotten = new TreeSet<>();
        String table = "";
        for (String line : manual()) {
            Matcher section = SECTION.matcher(line);
            Matcher key = KEY.matcher(line);
            if (section.matches()) {
                table = section.group(2) == null ? "" : section.group(2);
            } else if (tables.contains(table) && key.matches()) {
                String column = key.group(1);
                String name = key.group(2).replace("\\", "");
                keys.add(table + " " + column + ":" + name);
                if (ForwardingColumns.of(table).stream().noneMatch(each -> each.column().equals(column)
                        && (each.key().isEmpty() || each.key().equals(name)))) {
                    forgotten.add(table + " " + column + ":" + name);
                }
            }
        }
        assertThat(keys).contains("Bridge other_config:hwaddr", "Interface bfd:min_rx").hasSizeGreaterThan(200);
        assertThat(forgotten).isEmpty();
    }

    private static List<String> manual() throws IOException {
        try (InputStream packed = new GZIPInputStream(Files.newInputStream(MANUAL))) {
            return new String(packed.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** A name stands once in the table. */
    @Test
    void everyNameIsUnique() {
        assertThat(ForwardingColumns.all().stream().map(each -> each.table() + " " + each.name()))
            .doesNotHaveDuplicates();
    }

    /** What is ours is put right by one transaction, which says what it found; what may be the site's is reported. */
    @ParameterizedTest
    @MethodSource("compared")
    void whatAnotherToolSetIsPutRightOrReported(ForwardingColumn column) {
        run(BridgePlan.of(database.snapshot(), wanted));
        JsonObject row = row(column.table());
        JsonElement before = row.get(column.column());
        row.add(column.column(), harmful(column));
        BridgePlan plan = BridgePlan.of(database.snapshot(), wanted);
        if (column.handling() == Handling.REPORTED) {
            assertThat(plan.changes()).isEmpty();
            assertThat(SiteSettings.of(database.snapshot(), bridge)).singleElement().asString()
                .contains("port up", column.name(), column.effect(), column.remedy().replace("PORT", "up"));
            return;
        }
        assertThat(plan.corrections().get("br-daq")).singleElement().asString()
            .contains(column.name(), column.effect(), "br-daq");
        run(plan);
        assertThat(BridgePlan.of(database.snapshot(), wanted).changes()).isEmpty();
        assertThat(column.deviation(row(column.table()))).isEmpty();
        if (before == null) {
            assertThat(ForwardingColumns.deviations(column.table(), row(column.table()))).isEmpty();
        }
    }

    /** A foreign port of our bridge keeps its settings. */
    @Test
    void portsThatAreNotOursKeepTheirSettings() {
        run(BridgePlan.of(database.snapshot(), wanted));
        JsonObject port = row("Port");
        port.addProperty("tag", 7);
        port.add("external_ids", OvsdbValues.map(Map.of()));
        Bridge without = TestBridges.bridge("br-daq", Map.of());
        assertThat(BridgePlan.of(database.snapshot(), new Desired(new TreeMap<>(Map.of("br-daq", without)), Map.of(),
            false, Map.of(), new TreeSet<>(), "0123456789abcdef01234567")).changes()).isEmpty();
    }

    /** A mirror to a port of ours is taken out, one to another port stays. */
    @Test
    void mirrorsToPortsOfOursAreTakenOut() {
        run(BridgePlan.of(database.snapshot(), wanted));
        String port = uuid("Port", "up");
        mirror("m1", port);
        BridgePlan plan = BridgePlan.of(database.snapshot(), wanted);
        assertThat(plan.corrections().get("br-daq")).singleElement().asString().contains("mirror m1", "port up");
        run(plan);
        assertThat(database.snapshot().mirrors()).isEmpty();
        mirror("m2", "00000099-0000-4000-8000-000000000000");
        assertThat(BridgePlan.of(database.snapshot(), wanted).changes()).isEmpty();
    }

    /** A controller that is connected to our bridge and is not ours is named with the command that ends it. */
    @Test
    void aForeignControllerThatIsConnectedIsReported() {
        run(BridgePlan.of(database.snapshot(), wanted));
        JsonObject row = row("Controller");
        row.addProperty("target", "tcp:192.0.2.9:6653");
        row.addProperty("is_connected", true);
        row.add("external_ids", OvsdbValues.map(Map.of()));
        assertThat(SiteSettings.of(database.snapshot(), bridge)).singleElement().asString()
            .contains("controller tcp:192.0.2.9:6653", "ovs-vsctl remove bridge br-daq controller 0");
    }

    /** A listener of somebody else on our bridge is named as what it is, with the command that ends it. */
    @Test
    void aForeignListenerIsReported() {
        run(BridgePlan.of(database.snapshot(), wanted));
        JsonObject row = row("Controller");
        row.addProperty("target", "ptcp:6653");
        row.add("external_ids", OvsdbValues.map(Map.of()));
        assertThat(SiteSettings.of(database.snapshot(), bridge)).singleElement().asString()
            .contains("controller ptcp:6653 of bridge br-daq", "any program that connects there",
                "ovs-vsctl remove bridge br-daq controller 0");
    }

    /** A setting of the whole node is reported for each of its bridges. */
    @Test
    void settingsOfTheNodeAreReported() {
        run(BridgePlan.of(database.snapshot(), wanted));
        database.table("Open_vSwitch").values()
            .forEach(row -> row.add("other_config", OvsdbValues.map(Map.of("flow-restore-wait", "true"))));
        assertThat(SiteSettings.of(database.snapshot(), bridge)).singleElement().asString()
            .contains("node leaf", "flow-restore-wait", "ovs-vsctl remove Open_vSwitch . other_config");
        assertThat(SiteSettings.cause(database.snapshot().system().orElseThrow())).isPresent();
    }

    /** Packets that are delayed or overwritten do not keep ovs-vswitchd from its controllers. */
    @Test
    void whatDelaysOrOverwritesPacketsIsReported() {
        run(BridgePlan.of(database.snapshot(), wanted));
        for (Map<String, String> off : List.of(Map.<String, String>of(),
                Map.of("userspace-tso-enable", "false", "tx-flush-interval", "0"))) {
            database.table("Open_vSwitch").values().forEach(row -> row.add("other_config", OvsdbValues.map(off)));
            assertThat(SiteSettings.of(database.snapshot(), bridge)).isEmpty();
        }
        database.table("Open_vSwitch").values().forEach(row -> row.add("other_config",
            OvsdbValues.map(Map.of("userspace-tso-enable", "true", "tx-flush-interval", "50"))));
        assertThat(SiteSettings.of(database.snapshot(), bridge)).hasSize(2).anySatisfy(each ->
            assertThat(each).contains("userspace-tso-enable true", "restarts")).anySatisfy(each ->
            assertThat(each).contains("tx-flush-interval 50", "ovs-vsctl remove Open_vSwitch . other_config"));
        assertThat(SiteSettings.cause(database.snapshot().system().orElseThrow())).isEmpty();
    }

    /** What the node's own service could not put in force comes first, in its words; all in force is no fault. */
    @Test
    void settingsThatAreNotInForceOnTheNodeAreReported() {
        run(BridgePlan.of(database.snapshot(), wanted));
        for (String said : List.of("in force", "", "routes of br-daq are gone: 10.1.1.0/31", "x".repeat(10_000))) {
            database.table("Open_vSwitch").values().forEach(row -> row.add("external_ids",
                OvsdbValues.map(Map.of("system-id", "leaf", SiteSettings.NODE, said))));
            List<String> found = SiteSettings.of(database.snapshot(), bridge);
            if (said.length() < 9) {
                assertThat(found).isEmpty();
            } else {
                assertThat(found).singleElement().asString().hasSizeLessThan(400)
                    .startsWith(said.substring(0, Math.min(250, said.length())) + " (on node leaf;");
            }
        }
    }

    /** The documentation has the table as it is; {@code -Ddaqfabric.write} writes it. */
    @Test
    void theDocumentationHasTheTable() throws IOException {
        String page = Files.readString(PAGE);
        String expected = BEGIN + "\n" + markdown() + "\n" + END;
        int from = page.indexOf(BEGIN);
        int to = page.indexOf(END) + END.length();
        if (Boolean.getBoolean("daqfabric.write")) {
            Files.writeString(PAGE, page.substring(0, from) + expected + page.substring(to));
        }
        assertThat(Files.readString(PAGE)).as("docs/operations.md; -Ddaqfabric.write writes it").contains(expected);
    }

    private static String markdown() {
        Map<String, List<ForwardingColumn>> together = new LinkedHashMap<>();
        for (String table : Stream.concat(tables(), Stream.of(ForwardingColumns.PORT_BITS)).toList()) {
            ForwardingColumns.of(table).forEach(each -> together.computeIfAbsent(
                table + each.handling() + each.effect() + each.remedy(), key -> new ArrayList<>()).add(each));
        }
        StringBuilder text = new StringBuilder("| table | columns | what they do, or why they are left alone | |\n"
            + "|---|---|---|---|\n");
        together.values().forEach(all -> {
            ForwardingColumn first = all.get(0);
            text.append("| ").append(first.table()).append(" | ").append(names(all)).append(" | ")
                .append(first.effect()).append(" | ").append(first.handling().words())
                .append(first.remedy().isEmpty() ? "" : "; `" + first.remedy() + "` ends it").append(" |\n");
        });
        return text.toString();
    }

    /** The name of a map stands once, before its keys. */
    private static String names(List<ForwardingColumn> columns) {
        SortedMap<String, List<String>> keys = new TreeMap<>();
        List<String> names = new ArrayList<>();
        columns.forEach(each -> {
            if (each.key().isEmpty()) {
                names.add("`" + each.name() + "`");
            } else {
                keys.computeIfAbsent(each.column(), column -> new ArrayList<>()).add("`" + each.key() + "`");
            }
        });
        keys.forEach((column, all) -> names.add("`" + column + "`: " + String.join(", ", all)));
        return String.join(", ", names);
    }

    private static JsonElement harmful(ForwardingColumn column) {
        return switch (column.form()) {
            case FLAG -> new JsonPrimitive(true);
            case NUMBER, EMPTY -> new JsonPrimitive(7);
            case KEY, SWITCH -> OvsdbValues.map(Map.of(column.key(), "true"));
            case MAP -> OvsdbValues.map(Map.of("7", "7"));
            case CONFIGURED -> throw new IllegalArgumentException(Form.CONFIGURED.toString());
        };
    }

    private JsonObject row(String table) {
        return database.table(table).values().stream()
            .filter(row -> !row.has("name") || !table.equals("Bridge") && row.get("name").getAsString().equals("up")
                || table.equals("Bridge")).findFirst().orElseThrow();
    }

    private String uuid(String table, String name) {
        return database.table(table).entrySet().stream()
            .filter(row -> row.getValue().get("name").getAsString().equals(name)).findFirst().orElseThrow().getKey();
    }

    private void mirror(String name, String output) {
        JsonObject row = new JsonObject();
        row.addProperty("name", name);
        row.add("output_port", OvsdbValues.uuid(output));
        Operations operations = new Operations();
        operations.insert("Mirror", "m", row);
        JsonArray mutations = new JsonArray();
        mutations.add(OvsdbValues.array("mirrors", "insert",
            OvsdbValues.set(List.of(OvsdbValues.namedUuid("m")))));
        operations.mutate("Bridge", uuid("Bridge", "br-daq"), mutations);
        database.transact(operations.list());
    }

    private void run(BridgePlan plan) {
        List<JsonObject> operations = new ArrayList<>();
        plan.changes().values().forEach(operations::addAll);
        database.transact(operations);
    }
}
