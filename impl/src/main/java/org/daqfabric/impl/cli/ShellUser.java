package org.daqfabric.impl.cli;

import java.security.Principal;
import java.util.Optional;
import javax.security.auth.Subject;

/** Who uses the shell. */
final class ShellUser {
    private ShellUser() {
    }

    /** The user who logged in; empty if there is none. */
    static Optional<String> name() {
        Subject subject = Subject.current();
        return subject == null ? Optional.empty() : subject.getPrincipals().stream()
            .filter(each -> each.getClass().getSimpleName().equals("UserPrincipal")).map(Principal::getName)
            .findFirst();
    }
}
