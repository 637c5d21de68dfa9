package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A bundle of another application in a controller, with a {@link GuestPreprocessor}, as long as a test needs it. */
final class GuestBundle implements AutoCloseable {
    private static final String NAME = "org.daqfabric.it.guest";

    private final Distribution controller;

    GuestBundle(final Distribution controller) throws IOException {
        this.controller = controller;
        final var jar = Files.createTempFile("guest", ".jar");
        try {
            write(jar);
            controller.shell("bundle:install --start file:" + jar);
        } finally {
            Files.delete(jar);
        }
        assertThat(controller.shell("bundle:list -s")).contains(NAME);
    }

    private static void write(final Path jar) throws IOException {
        final var manifest = new Manifest();
        final var main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", NAME);
        main.putValue("Bundle-Version", "1.0.0");
        main.putValue("Bundle-Activator", GuestPreprocessor.class.getName());
        main.putValue("Import-Package", "javax.servlet,javax.servlet.http,org.osgi.framework,"
            + "org.osgi.service.http.whiteboard");
        final var name = GuestPreprocessor.class.getName().replace('.', '/') + ".class";
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                var compiled = GuestPreprocessor.class.getClassLoader().getResourceAsStream(name)) {
            out.putNextEntry(new JarEntry(name));
            compiled.transferTo(out);
        }
    }

    /** Waits until requests for an address pass it. */
    void awaitPassed(final String url) {
        try (var client = HttpClient.newHttpClient()) {
            await("the guest's preprocessor").atMost(Duration.ofSeconds(30)).untilAsserted(() ->
                assertThat(client.send(HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(10)).build(),
                    BodyHandlers.discarding()).headers().firstValue(GuestPreprocessor.HEADER)).contains("passed"));
        }
    }

    @Override
    public void close() {
        controller.shell("bundle:uninstall " + NAME);
    }
}
