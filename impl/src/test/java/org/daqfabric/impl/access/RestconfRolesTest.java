package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.shiro.authc.AuthenticationException;
import org.apache.shiro.authc.UsernamePasswordToken;
import org.apache.shiro.mgt.SecurityManager;
import org.apache.shiro.subject.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.aaa.shiro.web.env.AAAShiroWebEnvironment;

/** The second RESTCONF server has the table of the first, and its limits of logins. */
class RestconfRolesTest {
    @ParameterizedTest
    @CsvSource({
        "GET, /restconf/data/daqfabric:fabrics?content=config, VIEWER",
        "PUT, /restconf/data/daqfabric:fabrics/fabric=a, OPERATOR",
        "POST, /restconf/operations/daqfabric-operations:plan, VIEWER",
        "GET, /restconf/data, ADMIN",
        "GET, /restconfx/data/daqfabric:fabrics, ADMIN",
        "GET, /metrics/, ADMIN",
        "GET, http://127.0.0.1/restconf/data/daqfabric:fabrics, ADMIN",
    })
    void sameTable(String method, String uri, UserRole role) {
        assertThat(RestconfRoles.required(method, uri)).isEqualTo(role);
    }

    private final Subject user = mock(Subject.class);
    private final long[] now = { 0 };

    private RestconfRoles roles() {
        doAnswer(asked -> {
            if (!"right".equals(new String(asked.<UsernamePasswordToken>getArgument(0).getPassword()))) {
                throw new AuthenticationException("wrong");
            }
            return null;
        }).when(user).login(any());
        when(user.getPrincipal()).thenReturn("admin@sdn");
        SecurityManager logins = mock(SecurityManager.class);
        when(logins.createSubject(any())).thenReturn(user);
        AAAShiroWebEnvironment environment = mock(AAAShiroWebEnvironment.class);
        when(environment.getSecurityManager()).thenReturn(logins);
        return new RestconfRoles(environment, new Logins(() -> now[0]));
    }

    /** Nothing is done in nobody's name. */
    @Test
    void whatHasNotComeFromTheLoginIsRefused() {
        RestconfRoles roles = roles();
        HttpHeaders headers = request("right").headers();
        assertThatThrownBy(() -> roles.acquirePrincipal(headers)).hasMessageContaining("has not come from the login");
        headers.set("daqfabric-passed", "by me");
        assertThatThrownBy(() -> roles.acquirePrincipal(headers)).isInstanceOf(IllegalStateException.class);
        when(user.hasRole("admin")).thenReturn(true);
        EmbeddedChannel server = new EmbeddedChannel(roles.create());
        server.writeInbound(request("right"));
        HttpHeaders passed = server.<FullHttpRequest>readInbound().headers();
        assertThat(passed.get("daqfabric-passed")).isNotEmpty();
        // another server's word does not count
        assertThatThrownBy(() -> roles().acquirePrincipal(passed)).isInstanceOf(IllegalStateException.class);
        assertThatCode(() -> roles.acquirePrincipal(passed)).doesNotThrowAnyException();
    }

    @Test
    void tooManyLoginsAreRefused() {
        EmbeddedChannel server = new EmbeddedChannel(roles().create());
        for (int each = 0; each < 10; each++) {
            assertThat(refusal(server, "wrong " + each).status().code()).isEqualTo(401);
        }
        HttpResponse refusal = refusal(server, "right");
        assertThat(refusal.status().code()).isEqualTo(429);
        assertThat(refusal.headers().get(HttpHeaderNames.RETRY_AFTER)).isEqualTo("1");
        verify(user, times(10)).login(any());
        now[0] += FailedLogins.SECOND;
        for (int each = 0; each < 2; each++) {
            server.writeInbound(request("right"));
            assertThat(server.<FullHttpRequest>readInbound()).isNotNull();
            assertThat(server.<HttpResponse>readOutbound()).isNull();
        }
    }

    private static HttpResponse refusal(EmbeddedChannel server, String password) {
        server.writeInbound(request(password));
        assertThat(server.<FullHttpRequest>readInbound()).isNull();
        return server.readOutbound();
    }

    private static FullHttpRequest request(String password) {
        FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/restconf/data");
        request.headers().set(HttpHeaderNames.AUTHORIZATION, "Basic " + Base64.getEncoder()
            .encodeToString(("admin:" + password).getBytes(StandardCharsets.UTF_8)));
        return request;
    }
}
