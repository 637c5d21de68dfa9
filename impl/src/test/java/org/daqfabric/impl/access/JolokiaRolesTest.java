package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import javax.servlet.http.HttpServletRequest;
import org.apache.shiro.authc.AuthenticationException;
import org.apache.shiro.mgt.SecurityManager;
import org.apache.shiro.subject.Subject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jolokia is for admin; whose password was right is noted, as that is no failed login. */
class JolokiaRolesTest {
    private final Logins logins = new Logins();
    private final Subject user = mock(Subject.class);
    private final SecurityManager shiro = mock(SecurityManager.class);
    private final HttpServletRequest request = mock(HttpServletRequest.class);
    private final JolokiaRoles roles = new JolokiaRoles(shiro, logins);

    @BeforeEach
    void logIn() {
        when(shiro.createSubject(any())).thenReturn(user);
        when(user.getPrincipal()).thenReturn("admin@sdn");
        when(request.getHeader("Authorization")).thenReturn("Basic YWRtaW46eA==");
    }

    @Test
    void adminIsLetIn() {
        when(user.hasRole("admin")).thenReturn(true);
        assertThat(roles.authenticate(request)).isTrue();
        verify(request).setAttribute("org.daqfabric.user", "admin@sdn");
        logins.unstored("the disk is full");
        assertThat(roles.authenticate(request)).isFalse();
    }

    @Test
    void anotherRoleIsRefusedAndHasNotFailed() {
        when(user.hasRole("operator")).thenReturn(true);
        assertThat(roles.authenticate(request)).isFalse();
        verify(request).setAttribute("org.daqfabric.user", "admin@sdn");
    }

    @Test
    void aWrongPasswordHasFailed() {
        doThrow(new AuthenticationException("wrong")).when(user).login(any());
        assertThat(roles.authenticate(request)).isFalse();
        verify(request, never()).setAttribute(any(), any());
    }
}
