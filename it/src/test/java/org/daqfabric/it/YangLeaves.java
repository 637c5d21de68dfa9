package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** All leaves of the configuration, parsed from the YANG file, so that a test misses none. */
final class YangLeaves {
    /**
     * A leaf.
     *
     * @param path names from below the fabric down to the leaf
     * @param type the built-in or imported type, with our typedefs resolved
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

    private record Statement(String keyword, String argument, List<Statement> parts) {
        Statement part(final String keyword) {
            return parts.stream().filter(each -> each.keyword.equals(keyword)).findFirst().orElse(null);
        }
    }

    private static final Pattern TOKEN = Pattern.compile("\"[^\"]*\"|'[^']*'|[{};]|[^\\s{};]+");
    private static final Set<String> NODES = Set.of("container", "list", "leaf");

    private final Map<String, String> typedefs = new HashMap<>();
    private final Map<String, Statement> groupings = new HashMap<>();
    private final List<Leaf> leaves = new ArrayList<>();

    private YangLeaves() {
    }

    static List<Leaf> ofFabric() {
        final var result = new YangLeaves();
        final var module = module();
        module.parts.stream().filter(each -> each.keyword.equals("typedef"))
            .forEach(each -> result.typedefs.put(each.argument, each.part("type").argument));
        module.parts.stream().filter(each -> each.keyword.equals("grouping"))
            .forEach(each -> result.groupings.put(each.argument, each));
        result.collect(module.part("container").part("list"), List.of());
        return result.leaves;
    }

    private void collect(final Statement node, final List<String> path) {
        for (var each : node.parts) {
            if (each.keyword.equals("uses")) {
                collect(groupings.get(each.argument), path);
            }
            final var config = each.part("config");
            if (NODES.contains(each.keyword) && (config == null || !config.argument.equals("false"))) {
                final var below = new ArrayList<>(path);
                below.add(each.argument);
                if (each.keyword.equals("leaf")) {
                    var type = each.part("type").argument;
                    while (typedefs.containsKey(type)) {
                        type = typedefs.get(type);
                    }
                    leaves.add(new Leaf(below, type));
                } else {
                    collect(each, below);
                }
            }
        }
    }

    private static Statement module() {
        try (var files = Files.list(Distribution.projectRoot().resolve("yang/src/main/yang"))) {
            final var file = files.filter(each -> each.getFileName().toString().startsWith("daqfabric@")).findFirst()
                .orElseThrow();
            return statement(TOKEN.matcher(Files.readString(file)).results().map(token -> token.group()).iterator());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Statement statement(final Iterator<String> tokens) {
        return statement(tokens.next(), tokens);
    }

    private static Statement statement(final String keyword, final Iterator<String> tokens) {
        final var parts = new ArrayList<Statement>();
        final var argument = new StringBuilder();
        var token = tokens.next();
        for (; !token.equals(";") && !token.equals("{"); token = tokens.next()) {
            argument.append(token);
        }
        if (token.equals("{")) {
            for (token = tokens.next(); !token.equals("}"); token = tokens.next()) {
                parts.add(statement(token, tokens));
            }
        }
        return new Statement(keyword, argument.toString(), parts);
    }
}
