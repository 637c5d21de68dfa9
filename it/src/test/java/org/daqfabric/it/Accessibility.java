package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Whether those who use a keyboard or a screen reader can use a page: by axe and Lighthouse. */
final class Accessibility {
    private static final String RUN = "axe.run(document, { resultTypes: ['violations'] }).then(found =>"
        + " found.violations.map(each => ({ id: each.id, text: each.impact + ', ' + each.id + ', ' + each.help + ': '"
        + " + each.nodes.map(node => node.html.slice(0, 200)).slice(0, 5).join(' ') })))";

    private Accessibility() {
    }

    /** Asserts that axe finds nothing at all on the page that is open. */
    static void assertByAxe(final Browser browser, final String what) {
        if (browser.value("typeof axe").getAsString().equals("undefined")) {
            browser.value("(() => {" + script() + "\nwindow.axe = axe; })()");
        }
        assertThat(browser.value(RUN).getAsJsonArray().asList().stream().map(each -> ((JsonObject) each).get("text")
            .getAsString())).as("what axe finds: " + what).isEmpty();
    }

    /** Asserts that Lighthouse gives a page 95 points or more, and returns what it says. */
    static String assertByLighthouse(final String url, final String login) {
        try {
            final var builder = new ProcessBuilder(List.of("node",
                Distribution.projectRoot().resolve("lint/accessibility/check.mjs").toString(), tools().toString(),
                "lighthouse", url)).redirectErrorStream(true);
            builder.environment().put("DAQ_AUTHORIZATION",
                "Basic " + Base64.getEncoder().encodeToString(login.getBytes()));
            final var process = builder.start();
            final var output = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String script() {
        try {
            return Files.readString(tools().resolve("node_modules/axe-core/axe.min.js"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path tools() throws IOException {
        try (Stream<Path> cached = Files.list(Distribution.projectRoot().resolve(".cache"))) {
            return cached.filter(each -> each.getFileName().toString().matches("accessibility-\\d+")).findFirst()
                .orElseThrow(() -> new IOException("axe is not there: run scripts/setup tests"));
        }
    }
}
