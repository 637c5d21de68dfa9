package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFramerTest {
    private static final String STREAM = " {\"a\":[1,{\"b\":\"}]\\\"{\\\\\"}]}\n{}{\"é\":\"\\u00e9 {\"} ";

    private final List<JsonObject> messages = new ArrayList<>();
    private final JsonFramer framer = new JsonFramer(100);

    /** Messages may arrive in pieces; where the stream is split must not matter. */
    @Test
    void aStreamMayBeSplitAtEveryByte() throws ProtocolException {
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
        feed(STREAM);
        List<JsonObject> whole = List.copyOf(messages);
        assertThat(whole).hasSize(3);
        assertThat(whole.get(2).get("é").getAsString()).isEqualTo("é {");
        for (int cut = 0; cut <= bytes.length; cut++) {
            messages.clear();
            framer.feed(bytes, cut, messages::add);
            byte[] rest = Arrays.copyOfRange(bytes, cut, bytes.length);
            framer.feed(rest, rest.length, messages::add);
            assertThat(messages).as("cut at %d", cut).isEqualTo(whole);
        }
        messages.clear();
        for (byte one : bytes) {
            framer.feed(new byte[] {one}, 1, messages::add);
        }
        assertThat(messages).isEqualTo(whole);
    }

    /** A message as long as the limit passes, one byte more does not, in one piece or in many. */
    @Test
    void anOversizedMessageIsRefused() throws ProtocolException {
        feed("{\"a\":\"" + "x".repeat(92) + "\"}");
        assertThat(messages).hasSize(1);
        String tooLong = "{\"a\":\"" + "x".repeat(93) + "\"}";
        assertThatThrownBy(() -> feed(tooLong)).isInstanceOf(ProtocolException.class).hasMessageContaining("100");
        JsonFramer slow = new JsonFramer(100);
        assertThatThrownBy(() -> {
            for (byte one : tooLong.getBytes(StandardCharsets.UTF_8)) {
                slow.feed(new byte[] {one}, 1, messages::add);
            }
        }).isInstanceOf(ProtocolException.class).hasMessageContaining("100");
    }

    /** Many messages in one piece do not add up to an oversized one. */
    @Test
    void theLimitIsForEachMessage() throws ProtocolException {
        feed("{\"a\":1}".repeat(1000));
        assertThat(messages).hasSize(1000);
    }

    /** Malformed input must be detected at once, not after more input. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "[]", "1", "\"", "GET / HTTP/1.1", "{]", "{\"a\":[}", "{a:1}", "{'a':1}", "{\"a\":}",
        "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{\"a\":nope}", "}", "\u0016\u0003\u0001"})
    void malformedJsonIsRefused(String text) {
        assertThatThrownBy(() -> feed(text)).isInstanceOf(ProtocolException.class);
    }

    /** Deep nesting would cost stack in the code that reads the message. */
    @Test
    void deepNestingIsRefused() {
        assertThatThrownBy(() -> new JsonFramer(1 << 20).feed(("{\"a\":" + "[".repeat(100_000)).getBytes(
            StandardCharsets.UTF_8), 100_005, messages::add)).isInstanceOf(ProtocolException.class);
    }

    private void feed(String text) throws ProtocolException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        framer.feed(bytes, bytes.length, messages::add);
    }
}
