package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A scrape of the metrics: the HTTP response. */
record Scrape(int status, String type, String text) {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(15)).build();

    /**
     * Sends a request.
     *
     * @param path from the root of the web server
     * @param login {@code user:password}; empty for none
     */
    static Scrape of(final Distribution controller, final String method, final String path, final String login) {
        final var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + controller.port("restconf") + path))
            .timeout(Duration.ofSeconds(20)).method(method, BodyPublishers.noBody());
        if (!login.isEmpty()) {
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes()));
        }
        try {
            final var answer = CLIENT.send(request.build(), BodyHandlers.ofString());
            return new Scrape(answer.statusCode(), answer.headers().firstValue("Content-Type").orElse(""),
                answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Scrape of(final Distribution controller) {
        final var scrape = of(controller, "GET", "/metrics/", "admin:admin");
        assertThat(scrape.status).as(scrape.text).isEqualTo(200);
        return scrape;
    }

    /** The sum of all samples of a metric with these labels, such as {@code fabric="a"}. */
    double sum(final String name, final String... labels) {
        final var found = samples(name, labels).map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
            .toList();
        assertThat(found).as(name + Set.of(labels)).isNotEmpty();
        return found.stream().mapToDouble(each -> each).sum();
    }

    /** Names of the metrics that have samples with these labels. */
    Set<String> names(final String... labels) {
        return samples("", labels).map(line -> line.substring(0, line.indexOf('{'))
            .replaceAll("_(bucket|sum|count)$", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<String> samples(final String name, final String... labels) {
        return text.lines().filter(line -> line.startsWith(name)
            && line.startsWith("{", name.isEmpty() ? line.indexOf('{')
            : name.length()) && !line.startsWith("#"))
            .filter(line -> Stream.of(labels).allMatch(label ->
                Pattern.compile("[{,]" + Pattern.quote(label) + "[,}]").matcher(line).find()));
    }
}
