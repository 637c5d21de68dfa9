package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * A program that makes requests of users without a pause, which cost a controller as much as they can. It ends when its
 * input does, and says how many were answered.
 */
final class UserFloodProgram {
    /** A user who may change nothing, and the password. */
    static final String VIEWER = "reader";
    static final String PASSWORD = "of readers";

    private static final int THREADS = 4;
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY = 429;
    private static final int LONGEST = 16 << 20; // bytes of a body
    private static final String STREAM = "sal-remote:create-notification-stream";

    private static final byte[] NOTHING = "{\"input\":{}}".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LARGE = new byte[LONGEST];

    static {
        Arrays.fill(LARGE, (byte) ' ');
    }

    /** What is asked, by kind. */
    private static final Map<String, Kind> KINDS = Map.of(
        "large bodies", new Kind(VIEWER, "daqfabric-operations:traffic", number -> LARGE),
        "streams that nobody reads", new Kind(VIEWER, STREAM, number ->
            stream("(urn:daqfabric:run-control?revision=2026-11-21)run-state")),
        "names that there are not", new Kind(VIEWER, STREAM, number -> stream("(urn:none)n" + number)),
        "guessed passwords", new Kind("admin", "daqfabric-operations:rebalance", number -> NOTHING),
        "refused requests", new Kind(VIEWER, "daqfabric-operations:purge-alarms", number -> NOTHING));

    private UserFloodProgram() {
    }

    /** Who asks, which rpc, and with what as the n-th time; who is not the viewer guesses a password. */
    private record Kind(String user, String rpc, LongFunction<byte[]> body) {
        boolean isGuess() {
            return !user.equals(VIEWER);
        }

        HttpRequest request(final String root, final long number) {
            final var login = user + ':' + (isGuess() ? "guess " + number : PASSWORD);
            return HttpRequest.newBuilder(URI.create(root + "/operations/" + rpc)).timeout(Duration.ofMinutes(1))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(
                    login.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/yang-data+json")
                .POST(BodyPublishers.ofByteArray(body.apply(number))).build();
        }
    }

    /** All kinds there are. */
    static List<String> kinds() {
        return KINDS.keySet().stream().sorted().toList();
    }

    private static byte[] stream(final String notification) {
        return ("{\"input\":{\"notifications\":[\"" + notification + "\"]}}").getBytes(StandardCharsets.UTF_8);
    }

    /** Arguments: the root of RESTCONF and the kind. */
    public static void main(final String[] arguments) throws IOException {
        final var kind = KINDS.get(arguments[1]);
        final var asked = new AtomicLong();
        final var answered = new AtomicLong();
        // not the operators' address: from there a user whose password is guessed is kept waiting
        final var client = HttpClient.newBuilder().localAddress(InetAddress.getByName("127.0.66.20")).build();
        final var threads = Executors.newVirtualThreadPerTaskExecutor();
        for (int thread = 0; thread < THREADS; thread++) {
            threads.execute(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    try {
                        final int status = client.send(kind.request(arguments[0], asked.incrementAndGet()),
                            BodyHandlers.discarding()).statusCode();
                        // who is let in costs something else than who guesses
                        if (kind.isGuess() == (status == UNAUTHORIZED || status == TOO_MANY)) {
                            answered.incrementAndGet();
                        }
                    } catch (ConnectException e) {
                        throw new UncheckedIOException("nobody is there", e);
                    } catch (IOException e) {
                        // refused before its end: that is an answer too
                        answered.incrementAndGet();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            });
        }
        System.in.read();
        System.out.println(answered);
        System.exit(0); // with the requests that are under way
    }
}
