package org.daqfabric.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All leaves of the configuration, parsed from the YANG file, so that a test misses none. */
final class YangLeaves {
    /**
     * A leaf.
     *
     * @param path names from below the fabric down to the leaf
     * @param type the built-in or imported type, with our typedefs resolved, but for the one that says more
     */
    record Leaf(List<String> path, String type) {
        String name() {
            return path.get(path.size() - 1);
        }

        @Override
        public String toString() {
            return String.join("/", path);
        }
    }

    private static final String HOST_ADDRESS = "host-address";
    private static final Set<String> NODES = Set.of("container", "list", "leaf");

    private final Map<String, String> typedefs = new HashMap<>();
    private final Map<String, YangStatement> groupings = new HashMap<>();
    private final List<Leaf> leaves = new ArrayList<>();

    private YangLeaves() {
    }

    static List<Leaf> ofFabric() {
        final var result = new YangLeaves();
        final var module = YangStatement.modules().stream().filter(each -> each.argument().equals("daqfabric"))
            .findFirst().orElseThrow();
        module.parts("typedef")
            .forEach(each -> result.typedefs.put(each.argument(), each.part("type").argument()));
        module.parts("grouping")
            .forEach(each -> result.groupings.put(each.argument(), each));
        result.collect(module.part("container").part("list"), List.of());
        return result.leaves;
    }

    private void collect(final YangStatement node, final List<String> path) {
        for (var each : node.parts()) {
            if (each.keyword().equals("uses")) {
                collect(groupings.get(each.argument()), path);
            } else if (each.keyword().equals("choice") || each.keyword().equals("case")) {
                collect(each, path);
            }
            final var config = each.part("config");
            if (NODES.contains(each.keyword()) && (config == null || !config.argument().equals("false"))) {
                final var below = new ArrayList<>(path);
                below.add(each.argument());
                if (each.keyword().equals("leaf")) {
                    var type = each.part("type").argument();
                    while (typedefs.containsKey(type) && !type.equals(HOST_ADDRESS)) {
                        type = typedefs.get(type);
                    }
                    leaves.add(new Leaf(below, type));
                } else {
                    collect(each, below);
                }
            }
        }
    }
}
