package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A controller whose login was lost in a race between AAA and Blueprint gets it back. */
class LostLoginIT {
    private static final String SHIRO = "org.opendaylight.aaa.shiro";
    private static final String LOGIN = SHIRO + ".web.env.AAAShiroWebEnvironment";
    private static final String ENCRYPTION = "org.opendaylight.aaa.encrypt.impl.AAAEncryptionServiceImpl";
    private static final String CONFIG = "aaa-encrypt-service-config:aaa-encrypt-service-config";
    private static final String RECIPE = "org.apache.aries.blueprint.container.ServiceRecipe";
    /** Of Blueprint 1.10.3: where it notes that a service is registered. */
    private static final int NOTED = 194;
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private static Distribution controller;
    private static Debugger debugger;
    private static Shell shell;

    @BeforeAll
    static void start() {
        controller = Distribution.daqfabric("lost-login");
        Debugger.allow(controller);
        controller.start();
        debugger = new Debugger(controller);
        shell = new Shell(controller);
    }

    @AfterAll
    static void close() {
        try (var running = controller; var commands = shell) {
            debugger.close();
        }
    }

    private static long logged(final String text) {
        return controller.logLines().stream().filter(line -> line.contains(text)).count();
    }

    /**
     * As when the first start of a cluster changes the key of AAA: its encryption service goes when AAA has registered
     * its login, and comes when Blueprint has noted the registration, which is void by then.
     */
    @Test
    void loginComesBack() {
        final var started = "bundle " + SHIRO + "/0.21.2 has been started";
        final var before = logged(started);
        final Debugger.Held enabling;
        try (var registering = debugger.holdAtLine(RECIPE, NOTED, "getComponentName", "webEnvironment",
                () -> CompletableFuture.runAsync(() -> shell.run("bundle:restart " + SHIRO)))) {
            enabling = debugger.hold(ENCRYPTION, "props", () -> CompletableFuture.runAsync(LostLoginIT::changeKey));
        }
        try (enabling) {
            await("Blueprint has noted the login").atMost(LIMIT).until(() -> logged(started) > before);
        }
        await("bundle " + SHIRO + " is started anew").atMost(LIMIT)
            .until(() -> logged("service " + LOGIN + " is missing") == 1);
        await("RESTCONF answers").atMost(LIMIT).until(() -> controller.restconf().serves("daqfabric:fabrics"));
        assertThat(shell.run("service:list " + LOGIN).orFail().output()).contains("service.id");
    }

    /** RESTCONF may need a moment until it answers. */
    private static void changeKey() {
        await().atMost(LIMIT).until(() -> controller.restconf().patch("data/" + CONFIG,
            "{\"" + CONFIG + "\":{\"encrypt-key\":\"abcdefghijkl\"}}").status() < 300);
    }
}
