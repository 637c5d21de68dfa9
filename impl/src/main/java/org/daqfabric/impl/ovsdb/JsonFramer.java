package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Cuts a byte stream into JSON objects. OVSDB puts nothing between messages, so the end of each is found by counting
 * brackets outside strings. Holds at most one unfinished message, up to a limit in bytes, and refuses messages with
 * more values than that limit allows for: a value of one byte takes a hundred when it is parsed.
 */
final class JsonFramer {
    /** Nested brackets; OVSDB needs fewer than ten. */
    static final int MAX_DEPTH = 64;

    private static final int INITIAL = 4096;
    /** Bytes of the limit for each value of a message; Open vSwitch's own take some 20. */
    private static final int BYTES_PER_VALUE = 16;

    private final byte[] openBrackets = new byte[MAX_DEPTH];
    private byte[] message = new byte[INITIAL];
    private int length;
    private int depth;
    private int values;
    private boolean inString;
    private boolean escaped;
    private int limit;

    JsonFramer(int limit) {
        this.limit = limit;
    }

    /** Sets how many bytes a message may have. */
    void limit(int bytes) {
        limit = bytes;
    }

    /**
     * Takes the next bytes of the stream and passes on every message they complete.
     *
     * @throws ProtocolException if the stream is not a sequence of JSON objects within the limits; nothing after that
     *         can be parsed
     */
    void feed(byte[] bytes, int count, Consumer<JsonObject> messages) throws ProtocolException {
        int start = 0;
        for (int at = 0; at < count; at++) {
            byte current = bytes[at];
            if (depth == 0) {
                if (isSpace(current)) {
                    continue;
                }
                if (current != '{') {
                    throw new ProtocolException("no JSON object");
                }
                start = at;
            }
            if (inString) {
                if (escaped) {
                    escaped = false;
                } else if (current == '\\') {
                    escaped = true;
                } else if (current == '"') {
                    inString = false;
                }
                continue;
            }
            switch (current) {
                case '"' -> inString = true;
                case '{', '[' -> {
                    push(current);
                    count();
                }
                case ',' -> count();
                case '}', ']' -> {
                    pop(current);
                    if (depth == 0) {
                        append(bytes, start, at + 1);
                        final JsonObject parsed = parse();
                        length = 0;
                        values = 0;
                        if (message.length > INITIAL) {
                            message = new byte[INITIAL];
                        }
                        messages.accept(parsed);
                    }
                }
                default -> {
                }
            }
        }
        if (depth > 0) {
            append(bytes, start, count);
        }
    }

    /** Bytes held of an unfinished message, beyond the buffer that every connection has. */
    int heldBytes() {
        return message.length - INITIAL;
    }

    private void count() throws ProtocolException {
        if (++values > limit / BYTES_PER_VALUE) {
            throw new ProtocolException("message of over " + limit / BYTES_PER_VALUE + " values");
        }
    }

    private void push(byte bracket) throws ProtocolException {
        if (depth == MAX_DEPTH) {
            throw new ProtocolException("JSON nested deeper than " + MAX_DEPTH);
        }
        openBrackets[depth++] = bracket;
    }

    private void pop(byte bracket) throws ProtocolException {
        depth--;
        if (openBrackets[depth] != (bracket == '}' ? '{' : '[')) {
            throw new ProtocolException("malformed JSON");
        }
    }

    private void append(byte[] bytes, int from, int to) throws ProtocolException {
        int added = to - from;
        if (added > limit - length) {
            throw new ProtocolException("message over " + limit + " bytes");
        }
        if (length + added > message.length) {
            message = Arrays.copyOf(message, (int) Math.min(limit, Math.max(2L * message.length, length + added)));
        }
        System.arraycopy(bytes, from, message, length, added);
        length += added;
    }

    @SuppressWarnings("checkstyle:avoidHidingCauseException") // initCause keeps it
    private JsonObject parse() throws ProtocolException {
        try (JsonReader reader = new JsonReader(new InputStreamReader(
                new ByteArrayInputStream(message, 0, length), StandardCharsets.UTF_8))) {
            reader.setStrictness(Strictness.STRICT);
            return JsonParser.parseReader(reader).getAsJsonObject();
        } catch (JsonParseException | IOException | IllegalStateException e) {
            ProtocolException malformed = new ProtocolException("malformed JSON");
            malformed.initCause(e);
            throw malformed;
        }
    }

    private static boolean isSpace(byte value) {
        return value == ' ' || value == '\n' || value == '\r' || value == '\t';
    }
}
