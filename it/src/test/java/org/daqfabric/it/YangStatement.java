package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A statement of our YANG files, as it is written there.
 *
 * @param argument with the quotes and plus signs that it is written with
 */
record YangStatement(String keyword, String argument, List<YangStatement> parts) {
    private static final Pattern TOKEN = Pattern.compile("\"[^\"]*\"|'[^']*'|[{};]|[^\\s{};]+");

    /** All modules of ours. */
    static List<YangStatement> modules() {
        try (var files = Files.list(Distribution.projectRoot().resolve("yang/src/main/yang"))) {
            return files.filter(file -> file.toString().endsWith(".yang")).sorted().map(YangStatement::module).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static YangStatement module(final Path file) {
        try {
            final var tokens = TOKEN.matcher(Files.readString(file)).results().map(token -> token.group()).iterator();
            return statement(tokens.next(), tokens);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static YangStatement statement(final String keyword, final Iterator<String> tokens) {
        final var parts = new ArrayList<YangStatement>();
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
        return new YangStatement(keyword, argument.toString(), parts);
    }

    /** The first part of a kind; null if there is none. */
    YangStatement part(final String kind) {
        return parts(kind).findFirst().orElse(null);
    }

    Stream<YangStatement> parts(final String kind) {
        return parts.stream().filter(each -> each.keyword.equals(kind));
    }

    /** The argument of the first part of a kind without quotes; empty if there is none. */
    String text(final String kind) {
        final var part = part(kind);
        return part == null ? "" : part.plain();
    }

    /** The argument without quotes. */
    String plain() {
        return argument.replaceAll("\"\\+\"|'\\+'|^[\"']|[\"']$", "");
    }
}
