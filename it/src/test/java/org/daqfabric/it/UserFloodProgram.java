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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

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

    private static final String OPERATIONS = "daqfabric-operations:";
    private static final int STREAMS = 1000; // that differ
    private static final String ENTRY = "{\"name\":\"s\"},";

    /** What is asked, by kind. */
    private static final Map<String, Kind> KINDS = Map.of(
        "large bodies", Kind.of(VIEWER, OPERATIONS + "traffic", fabric -> " ".repeat(LONGEST)),
        // who asks for the same with the same bytes gets the stream that there is
        "streams that nobody reads", new Kind(VIEWER, STREAM, (fabric, plan) -> number ->
            stream("(urn:daqfabric:run-control?revision=2026-11-21)run-state", (int) (number % STREAMS))),
        "names that there are not", new Kind(VIEWER, STREAM, (fabric, plan) -> number ->
            stream("(urn:none)n" + number, 0)),
        "guessed passwords", Kind.of("admin", OPERATIONS + "rebalance", fabric -> "{\"input\":{}}"),
        "refused requests", Kind.of(VIEWER, "daqfabric-alarms:purge-alarms", fabric -> "{\"input\":{}}"),
        "plans of very many entries", Kind.of(VIEWER, OPERATIONS + "plan", fabric -> question(fabric,
            ",\"candidate\":{\"switch\":[" + ENTRY.repeat(LONGEST / ENTRY.length() - 100) + "{}]}")),
        "plans of many DCMs", new Kind(VIEWER, OPERATIONS + "plan", (fabric, plan) -> number -> plan),
        "verify", Kind.of(VIEWER, OPERATIONS + "verify", fabric -> question(fabric, "")),
        "what-fails", Kind.of(VIEWER, OPERATIONS + "what-fails", fabric -> question(fabric, "")));

    private UserFloodProgram() {
    }

    /** The bodies of requests, by their number: of a fabric, or a plan that was given. */
    private interface Bodies extends BiFunction<String, byte[], LongFunction<byte[]>> {
    }

    /** Who asks, which rpc, and with what; who is not the viewer guesses a password. */
    private record Kind(String user, String rpc, Bodies bodies) {
        /** The same each time. */
        static Kind of(final String user, final String rpc, final UnaryOperator<String> body) {
            return new Kind(user, rpc, (fabric, plan) -> {
                final var bytes = body.apply(fabric).getBytes(StandardCharsets.UTF_8);
                return number -> bytes;
            });
        }

        boolean isGuess() {
            return !user.equals(VIEWER);
        }

        HttpRequest request(final String root, final long number, final byte[] body) {
            final var login = user + ':' + (isGuess() ? "guess " + number : PASSWORD);
            return HttpRequest.newBuilder(URI.create(root + "/operations/" + rpc)).timeout(Duration.ofMinutes(1))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(
                    login.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/yang-data+json")
                .POST(BodyPublishers.ofByteArray(body)).build();
        }
    }

    /** All kinds there are. */
    static List<String> kinds() {
        return KINDS.keySet().stream().sorted().toList();
    }

    private static byte[] stream(final String notification, final int spaces) {
        return ("{\"input\":{\"notifications\":[\"" + notification + "\"]}}" + " ".repeat(spaces))
            .getBytes(StandardCharsets.UTF_8);
    }

    private static String question(final String fabric, final String more) {
        return "{\"input\":{\"fabric\":\"" + fabric + "\"" + more + "}}";
    }

    /** Arguments: the root of RESTCONF, the kind, the name of a fabric, and a file with a plan's input. */
    public static void main(final String[] arguments) throws IOException {
        final var kind = KINDS.get(arguments[1]);
        final var bodies = kind.bodies().apply(arguments[2], Files.readAllBytes(Path.of(arguments[3])));
        final var asked = new AtomicLong();
        final var answered = new AtomicLong();
        // not the operators' address: from there a user whose password is guessed is kept waiting
        final var client = HttpClient.newBuilder().localAddress(InetAddress.getByName("127.0.66.20")).build();
        final var threads = Executors.newVirtualThreadPerTaskExecutor();
        for (int thread = 0; thread < THREADS; thread++) {
            threads.execute(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    try {
                        final long number = asked.incrementAndGet();
                        final int status = client.send(kind.request(arguments[0], number, bodies.apply(number)),
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
