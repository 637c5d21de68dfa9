package org.daqfabric.it;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** All rpcs of our modules and what they take, parsed from the YANG files, so that a test misses none. */
final class YangRpcs {
    /** What kind a node is. */
    enum Kind { LEAF, LEAF_LIST, LIST, CONTAINER }

    /**
     * The type of a leaf.
     *
     * @param base the built-in or imported type, or one of {@link #CHECKED_BY_RPC}
     * @param words of an enumeration
     * @param least of a number; null if neither the type nor the description says so
     */
    record Type(String base, List<String> words, BigDecimal least, BigDecimal most) {
    }

    /**
     * A node of an input.
     *
     * @param type null for lists and containers
     */
    record Node(String name, Kind kind, Type type, List<Node> children) {
    }

    /** An rpc. */
    record Rpc(String module, String namespace, String name, List<Node> input) {
        String path() {
            return "operations/" + module + ":" + name;
        }

        @Override
        public String toString() {
            return module + ":" + name;
        }
    }

    /** Our types that are any string for the model, with a range in their leaf's description. */
    static final Set<String> CHECKED_BY_RPC = Set.of("whole-number", "real-number");
    private static final Map<String, Kind> KINDS = Map.of("leaf", Kind.LEAF, "leaf-list", Kind.LEAF_LIST, "list",
        Kind.LIST, "container", Kind.CONTAINER);
    /** Statements that add no node to an input. */
    private static final Set<String> OTHERS = Set.of("description", "reference", "key", "must", "presence", "status",
        "unique", "min-elements", "max-elements", "ordered-by", "config", "refine", "when", "units", "default",
        "mandatory", "type");
    private static final Pattern RANGE = Pattern.compile("Range:\\s+([0-9.]+)\\s+to\\s+([0-9]+(?:\\.[0-9]+)?)");

    /** By prefix and name. */
    private final Map<String, YangStatement> definitions = new HashMap<>();

    private YangRpcs() {
    }

    static List<Rpc> all() {
        final var modules = YangStatement.modules();
        final var result = new YangRpcs();
        for (var module : modules) {
            for (var each : module.parts()) {
                if (each.keyword().equals("typedef") || each.keyword().equals("grouping")) {
                    result.definitions.put(each.keyword() + " " + module.text("prefix") + ":" + each.argument(), each);
                }
            }
        }
        final var rpcs = new ArrayList<Rpc>();
        for (var module : modules) {
            module.parts("rpc").forEach(each -> rpcs.add(new Rpc(module.argument(), module.text("namespace"),
                each.argument(), each.part("input") == null ? List.of()
                    : result.nodes(each.part("input"), module.text("prefix")))));
        }
        return rpcs;
    }

    private List<Node> nodes(final YangStatement parent, final String prefix) {
        final var nodes = new ArrayList<Node>();
        for (var each : parent.parts()) {
            final var kind = KINDS.get(each.keyword());
            if (each.keyword().equals("uses")) {
                final var name = qualified(each.argument(), prefix);
                final var grouping = definitions.get("grouping " + name);
                if (grouping == null) {
                    throw new IllegalStateException("no module of ours has grouping " + name);
                }
                nodes.addAll(nodes(grouping, name.substring(0, name.indexOf(':'))));
            } else if (each.keyword().equals("choice") || each.keyword().equals("case")) {
                nodes.addAll(nodes(each, prefix));
            } else if (kind == Kind.LEAF || kind == Kind.LEAF_LIST) {
                nodes.add(new Node(each.argument(), kind, type(each, prefix), List.of()));
            } else if (kind != null) {
                if (!each.text("config").equals("false")) {
                    nodes.add(new Node(each.argument(), kind, null, nodes(each, prefix)));
                }
            } else if (!OTHERS.contains(each.keyword())) {
                throw new IllegalStateException("no rpc had a " + each.keyword()
                    + " in its input yet: read it here, too");
            }
        }
        return nodes;
    }

    private Type type(final YangStatement leaf, final String prefix) {
        var statement = leaf.part("type");
        var own = prefix;
        var range = statement.text("range");
        while (true) {
            final var name = qualified(statement.argument(), own);
            final var typedef = definitions.get("typedef " + name);
            final var local = name.substring(name.indexOf(':') + 1);
            if (typedef == null || CHECKED_BY_RPC.contains(local)) {
                break;
            }
            own = name.substring(0, name.indexOf(':'));
            statement = typedef.part("type");
            range = range.isEmpty() ? statement.text("range") : range;
        }
        final var local = statement.argument().replaceAll("^planning:", "");
        final var told = RANGE.matcher(leaf.text("description"));
        final var limits = range.isEmpty() ? told.find() ? List.of(told.group(1), told.group(2)) : List.<String>of()
            : List.of(range.replaceAll("[|.]{2}.*| .*", "").strip(), range.replaceAll(".*(\\.\\.|\\|)", "").strip());
        return new Type(local, statement.parts("enum").map(YangStatement::plain).toList(), number(limits, 0),
            number(limits, 1));
    }

    private static BigDecimal number(final List<String> limits, final int index) {
        return limits.isEmpty() || !limits.get(index).matches("-?[0-9]+(\\.[0-9]+)?") ? null
            : new BigDecimal(limits.get(index));
    }

    private static String qualified(final String name, final String prefix) {
        return name.contains(":") ? name : prefix + ":" + name;
    }
}
