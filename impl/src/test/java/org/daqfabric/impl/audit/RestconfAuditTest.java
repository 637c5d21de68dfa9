package org.daqfabric.impl.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each request to the second server has one line; in tests the log goes to standard error. */
class RestconfAuditTest {
    private static final String FABRIC = "/restconf/data/daqfabric:fabrics/fabric=f";
    private static final String STREAM = "x-http2-stream-id";

    @RegisterExtension
    final AuditLines audited = new AuditLines();
    private final EmbeddedChannel connection = new EmbeddedChannel(new RestconfAudit());

    @AfterEach
    void release() {
        connection.finishAndReleaseAll();
    }

    private FullHttpRequest ask(HttpMethod method, String path, String user, String body) {
        FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, path,
            Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        request.headers().set("Authorization", "Basic "
            + Base64.getEncoder().encodeToString((user + ":geheim").getBytes(StandardCharsets.UTF_8)));
        return request;
    }

    private static FullHttpResponse answer(HttpResponseStatus status) {
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status);
    }

    @Test
    void eachIsWrittenWithItsOwnAnswer() {
        connection.writeInbound(ask(HttpMethod.PUT, FABRIC, "anna", "{\"x\":1}"),
            ask(HttpMethod.GET, FABRIC, "berta@other", ""), ask(HttpMethod.DELETE, FABRIC, "mallory", ""));
        assertThat(audited.of("changes")).isEmpty();
        connection.writeOutbound(answer(HttpResponseStatus.CREATED), answer(HttpResponseStatus.OK),
            answer(HttpResponseStatus.UNAUTHORIZED));
        assertThat(audited.of("changes")).singleElement().satisfies(line -> {
            assertThat(line.get("user").getAsString()).isEqualTo("anna@sdn");
            assertThat(line.get("method").getAsString()).isEqualTo("PUT");
            assertThat(line.get("path").getAsString()).isEqualTo(FABRIC);
            assertThat(line.get("body").getAsString()).isEqualTo("{\"x\":1}");
            assertThat(line.get("status").getAsInt()).isEqualTo(201);
        });
        assertThat(audited.of("reads")).extracting(line -> line.get("status").getAsInt()).containsExactly(200, 401);
        assertThat(audited.of("reads").getFirst().get("user").getAsString()).isEqualTo("berta@other");
        assertThat(audited.of("reads").getLast().has("user")).isFalse();
        assertThat(audited.of("reads").getLast().get("claimed-user").getAsString()).isEqualTo("mallory");
        assertThat(audited.text()).doesNotContain("geheim");
        assertThat(connection.inboundMessages()).hasSize(3);
        assertThat(connection.outboundMessages()).hasSize(3);
    }

    /** HTTP/2 answers in any order. */
    @Test
    void streamsAreToldApart() {
        for (int stream : new int[] {1, 3}) {
            FullHttpRequest request = ask(HttpMethod.DELETE, FABRIC + stream, "anna", "");
            request.headers().setInt(STREAM, stream);
            connection.writeInbound(request);
        }
        FullHttpResponse second = answer(HttpResponseStatus.NO_CONTENT);
        second.headers().setInt(STREAM, 3);
        connection.writeOutbound(second);
        assertThat(audited.of("changes")).singleElement().matches(line -> line.get("path").getAsString().endsWith("f3")
            && line.get("status").getAsInt() == 204);
    }

    @Test
    void whoHangsUpIsWrittenToo() {
        connection.writeInbound(ask(HttpMethod.DELETE, FABRIC, "anna", ""));
        connection.close();
        assertThat(audited.of("changes")).singleElement().matches(line -> line.get("status").getAsInt() == 500);
    }

    @Test
    void longBodiesAreCut() {
        connection.writeInbound(ask(HttpMethod.PUT, FABRIC, "anna", "y".repeat(3000)),
            ask(HttpMethod.PUT, "/restconf/data/another:module", "anna", "geheim"));
        connection.writeOutbound(answer(HttpResponseStatus.OK), answer(HttpResponseStatus.OK));
        assertThat(audited.of("changes").getFirst().get("body").getAsString()).hasSizeLessThan(1100)
            .endsWith("y... 3000 bytes");
        assertThat(audited.of("changes").getLast().has("body")).isFalse();
    }
}
