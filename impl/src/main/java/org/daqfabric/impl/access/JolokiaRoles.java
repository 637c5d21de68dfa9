package org.daqfabric.impl.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.shiro.ShiroException;
import org.apache.shiro.authc.UsernamePasswordToken;
import org.apache.shiro.mgt.SecurityManager;
import org.apache.shiro.subject.Subject;
import org.daqfabric.impl.audit.UserFilter;
import org.jolokia.osgi.security.Authenticator;
import org.opendaylight.aaa.shiro.web.env.AAAShiroWebEnvironment;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Keeps our roles but admin from Jolokia, over which anything in the controller can be changed. Jolokia asks all that
 * are registered, OpenDaylight's own, which checks the password, and this one, which does it again for the roles.
 */
@Component(immediate = true)
public final class JolokiaRoles implements Authenticator {
    private static final String BASIC = "Basic ";

    private final SecurityManager logins;
    private final Logins known;

    @Activate
    public JolokiaRoles(@Reference AAAShiroWebEnvironment environment, @Reference Logins known) {
        this(environment.getSecurityManager(), known);
    }

    JolokiaRoles(SecurityManager logins, Logins known) {
        this.logins = logins;
        this.known = known;
    }

    @Override
    public boolean authenticate(HttpServletRequest request) {
        Optional<Subject> user = login(request.getHeader("Authorization"));
        user.ifPresent(some -> UserFilter.isLoggedIn(request, String.valueOf(some.getPrincipal())));
        // here GET changes things, too
        return CrossSite.of(request).isOwn() && user.filter(this::isAdmin).isPresent();
    }

    private boolean isAdmin(Subject user) {
        return !known.keepsOut(String.valueOf(user.getPrincipal()))
            && UserRole.highest(user::hasRole).map(role -> role.includes(UserRole.ADMIN)).orElse(true);
    }

    private Optional<Subject> login(String header) {
        if (header == null || !header.startsWith(BASIC)) {
            return Optional.empty();
        }
        try {
            String[] words = new String(Base64.getDecoder().decode(header.substring(BASIC.length()).strip()),
                StandardCharsets.UTF_8).split(":", 2);
            if (words.length < 2) {
                return Optional.empty();
            }
            Subject user = new Subject.Builder(logins).buildSubject();
            user.login(new UsernamePasswordToken(words[0], words[1]));
            return Optional.of(user);
        } catch (ShiroException | IllegalArgumentException e) {
            return Optional.empty(); // no such user, another password, or no login at all
        }
    }
}
