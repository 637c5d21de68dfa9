package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;

/** The Karaf shell of a controller over SSH, with one connection per command. */
final class Shell implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final SshClient client = SshClient.setUpDefaultClient();

    private final int port;
    private final Path users;
    private final String user;

    /** Exit code and output of a command. */
    record Answer(String command, int code, String output) {
        Answer orFail() {
            assertThat(code).as(command + ": " + output).isZero();
            return this;
        }

        List<String> lines() {
            return output.lines().toList();
        }

        JsonObject json() {
            return JsonParser.parseString(output).getAsJsonObject();
        }
    }

    Shell(final Distribution controller) {
        this(controller, "karaf");
    }

    /** Logs in as a user of etc/users.properties. */
    Shell(final Distribution controller, final String user) {
        this.user = user;
        port = controller.port("ssh");
        users = controller.home().resolve("etc/users.properties");
        // every copy of the distribution has a new host key
        client.setServerKeyVerifier((session, address, key) -> true);
        client.start();
    }

    private ClientSession logIn() throws IOException {
        final var session = client.connect(user, "127.0.0.1", port).verify(TIMEOUT).getSession();
        session.addPasswordIdentity(password());
        session.auth().verify(TIMEOUT);
        return session;
    }

    private String password() throws IOException {
        final var account = Pattern.compile("(?m)^" + user + " = ([^,]+),").matcher(Files.readString(users));
        assertThat(account.find()).as(users + " has an account").isTrue();
        return account.group(1);
    }

    Answer run(final String command) {
        return run(command, "");
    }

    /** Runs a command with standard input. */
    Answer run(final String command, final String input) {
        final var output = new ByteArrayOutputStream();
        try (var session = logIn(); var channel = session.createExecChannel(command)) {
            channel.setOut(output);
            channel.setErr(output);
            channel.open().verify(TIMEOUT);
            try (var stdin = channel.getInvertedIn()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            assertThat(channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), TIMEOUT)).as(command)
                .doesNotContain(ClientChannelEvent.TIMEOUT);
            // Karaf may close the channel without telling a status, which ssh shows as 255
            return new Answer(command, Optional.ofNullable(channel.getExitStatus()).orElse(255),
                output.toString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a subsystem, such as that for files, is served. */
    boolean serves(final String subsystem) {
        try (var session = logIn(); var channel = session.createSubsystemChannel(subsystem)) {
            channel.open().verify(TIMEOUT);
            // one that is refused is closed at once
            return !channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), TIMEOUT).contains(ClientChannelEvent.CLOSED);
        } catch (IOException e) {
            return false; // it was refused
        }
    }

    /** Types lines at a terminal, of which the last must log out, and returns everything shown. */
    String type(final String... lines) {
        final var output = new ByteArrayOutputStream();
        try (var session = logIn(); var channel = session.createShellChannel()) {
            channel.setOut(output);
            channel.setErr(output);
            channel.open().verify(TIMEOUT);
            final var keyboard = channel.getInvertedIn();
            for (var line : lines) {
                keyboard.write((line + "\r").getBytes(StandardCharsets.UTF_8));
                keyboard.flush();
            }
            assertThat(channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), TIMEOUT))
                .as(output.toString(StandardCharsets.UTF_8))
                .doesNotContain(ClientChannelEvent.TIMEOUT);
            return output.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        client.stop();
    }
}
