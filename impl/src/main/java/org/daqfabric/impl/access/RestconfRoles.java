package org.daqfabric.impl.access;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.security.Principal;
import java.util.UUID;
import org.apache.shiro.subject.Subject;
import org.daqfabric.impl.audit.RestconfAudit;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.aaa.shiro.web.env.AAAShiroWebEnvironment;
import org.opendaylight.netconf.transport.http.AbstractBasicAuthHandler;
import org.opendaylight.netconf.transport.http.AuthHandler;
import org.opendaylight.restconf.server.AAAShiroPrincipalService;
import org.opendaylight.restconf.server.PrincipalService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

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
    private volatile @Nullable FirstAccounts accounts;

    @Activate
    public RestconfRoles(@Reference AAAShiroWebEnvironment environment) {
        logins = new AAAShiroPrincipalService(environment.getSecurityManager());
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindAccounts(FirstAccounts found) {
        accounts = found;
    }

    void unbindAccounts(FirstAccounts lost) {
        accounts = null;
    }

    private boolean isKeptOut(String user) {
        FirstAccounts known = accounts;
        return known != null && known.keepsOut(user);
    }

    @Override
    public Principal acquirePrincipal(HttpHeaders headers) {
        if (!passed.equals(headers.get(PASSED))) {
            throw new IllegalStateException("the request has not come from the login: use HTTP/1.1, or HTTP/2 from the"
                + " beginning");
        }
        return logins.acquirePrincipal(headers);
    }

    @Override
    public AuthHandler<?> create() {
        AuthHandler<?> login = logins.create();
        return new AbstractBasicAuthHandler<Subject>() {
            @Override
            public void handlerAdded(ChannelHandlerContext ctx) {
                ctx.pipeline().addBefore(ctx.name(), null, new RestconfAudit());
            }

            @Override
            public Subject authenticate(HttpRequest request) {
                return (Subject) login.authenticate(request);
            }

            @Override
            protected Subject authenticate(String username, String password) {
                throw new UnsupportedOperationException("asked by request only");
            }

            @Override
            public boolean isAuthorized(HttpRequest request, Subject user) {
                boolean allowed = !isKeptOut(String.valueOf(user.getPrincipal())) && UserRole.highest(user::hasRole)
                    .map(role -> role.includes(required(request.method().name(), request.uri()))).orElse(true);
                if (allowed) {
                    request.headers().set(PASSED, passed);
                }
                return allowed;
            }
        };
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
