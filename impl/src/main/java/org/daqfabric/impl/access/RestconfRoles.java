package org.daqfabric.impl.access;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.Optional;
import java.util.UUID;
import org.apache.shiro.subject.Subject;
import org.daqfabric.impl.audit.RestconfAudit;
import org.opendaylight.aaa.shiro.web.env.AAAShiroWebEnvironment;
import org.opendaylight.netconf.transport.http.AbstractBasicAuthHandler;
import org.opendaylight.netconf.transport.http.AuthHandler;
import org.opendaylight.restconf.server.AAAShiroPrincipalService;
import org.opendaylight.restconf.server.PrincipalService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * The logins of OpenDaylight's second RESTCONF server, with the roles of the first, and with a line of the audit log
 * for each request. OpenDaylight's own would let every user do everything there. The distribution has that server use
 * this one ({@code etc/org.opendaylight.restconf.server.OSGiNettyEndpoint.cfg}).
 */
@Component(service = PrincipalService.class, property = { "type=daqfabric", "service.ranking:Integer=-1000" })
public final class RestconfRoles implements PrincipalService {
    private static final String ROOT = "/restconf";
    /** A header of requests that have come from the login: nothing is done for others. */
    private static final String PASSED = "daqfabric-passed";

    private final AAAShiroPrincipalService logins;
    /** The header's value, which no client knows. */
    private final String passed = UUID.randomUUID().toString();
    private final Logins known;

    @Activate
    public RestconfRoles(@Reference AAAShiroWebEnvironment environment, @Reference Logins known) {
        logins = new AAAShiroPrincipalService(environment.getSecurityManager());
        this.known = known;
    }

    @Override
    public Principal acquirePrincipal(HttpHeaders headers) {
        if (!passed.equals(headers.get(PASSED))) {
            throw new IllegalStateException("the request has not come from the login: ask as other clients do, over"
                + " HTTP/1.1");
        }
        return logins.acquirePrincipal(headers);
    }

    @Override
    public AuthHandler<?> create() {
        return new GuardedLogin(logins.create());
    }

    /** The login of a connection. */
    private final class GuardedLogin extends AbstractBasicAuthHandler<Subject> {
        private final AuthHandler<?> login;
        private String address = "unknown";

        GuardedLogin(AuthHandler<?> login) {
            this.login = login;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            ctx.pipeline().addBefore(ctx.name(), null, new RestconfAudit());
            if (ctx.channel().remoteAddress() instanceof InetSocketAddress peer) {
                address = peer.getAddress().getHostAddress();
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpRequest request) throws Exception {
            long pause = attempt(request).map(known::pause).orElse(0L);
            if (pause > 0) {
                HttpResponse refusal = errorResponse(request, HttpResponseStatus.TOO_MANY_REQUESTS);
                refusal.headers().set(HttpHeaderNames.RETRY_AFTER, pause);
                ctx.writeAndFlush(refusal);
            } else {
                super.channelRead0(ctx, request);
            }
        }

        private Optional<LoginAttempt> attempt(HttpRequest request) {
            return known.attempt(address, request.headers().get(HttpHeaderNames.AUTHORIZATION));
        }

        @Override
        public Subject authenticate(HttpRequest request) {
            Subject user = (Subject) login.authenticate(request);
            attempt(request).ifPresent(attempt -> known.ended(attempt, user != null));
            return user;
        }

        @Override
        protected Subject authenticate(String username, String password) {
            throw new UnsupportedOperationException("asked by request only");
        }

        @Override
        public boolean isAuthorized(HttpRequest request, Subject user) {
            boolean allowed = !known.keepsOut(String.valueOf(user.getPrincipal())) && UserRole.highest(user::hasRole)
                .map(role -> role.includes(required(request.method().name(), request.uri()))).orElse(true);
            if (allowed) {
                request.headers().set(PASSED, passed);
            }
            return allowed;
        }
    }

    /** The same as at the first server, whose root is another. */
    static UserRole required(String method, String uri) {
        int query = uri.indexOf('?');
        String path = query < 0 ? uri : uri.substring(0, query);
        return path.equals(ROOT) || path.startsWith(ROOT + '/')
            ? RequiredRole.of(method, "/rests" + path.substring(ROOT.length()),
                query < 0 ? null : uri.substring(query + 1)) : UserRole.ADMIN;
    }
}
