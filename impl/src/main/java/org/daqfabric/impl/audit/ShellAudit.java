package org.daqfabric.impl.audit;

import com.google.gson.JsonObject;
import java.security.Principal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.CommandSessionListener;
import org.apache.karaf.shell.api.console.CommandLoggingFilter;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.FieldOption;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Writes a line about every command of the Karaf shell when it has ended, but for what each login begins with. As over
 * HTTP, what only reads, and what a role is not for, is kept apart from changes.
 */
@Component(service = CommandSessionListener.class)
public final class ShellAudit implements CommandSessionListener {
    private static final String LOCAL = "console";
    /** Commands that change nothing: those of our viewers, in the distribution's settings, which a test compares. */
    static final Set<String> READS = Set.of("alarms", "compare", "doctor", "history", "links", "orphans", "placement",
        "plan", "rules", "run", "schedule", "show", "switches", "topology", "trace", "verify");
    /** One command, with nothing in it that the shell would make another command or another word of. */
    private static final Pattern PLAIN = Pattern.compile("daqfabric:([a-z-]+)( [\\w.:/,@+ -]*)?");
    /** One command of any kind. */
    private static final Pattern ONE = Pattern.compile("([a-z-]+:)?[a-z-]+( [\\w.:/,@+ -]*)?");
    /** What alarms does to alarms. */
    private static final Pattern OPERATES =
        Pattern.compile("alarms .*--(ack|close|reset|shelve|unshelve|purge).*");
    /** The roles of who may change nothing; ssh is to log in. */
    private static final Set<String> OF_VIEWERS = Set.of("daqfabric-viewer", "ssh");

    /** They take passwords out of commands. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC,
        fieldOption = FieldOption.REPLACE)
    private volatile List<CommandLoggingFilter> filters = List.of();

    @Activate
    public ShellAudit() {
        // nothing to prepare
    }

    @Override
    public void beforeExecute(CommandSession session, CharSequence command) {
        // what came of it is not known yet
    }

    @Override
    public void afterExecute(CommandSession session, CharSequence command, Exception failure) {
        write(command, "failed: " + (failure.getMessage() == null ? failure.toString()
            : failure.getMessage()), failure instanceof SecurityException);
    }

    @Override
    public void afterExecute(CommandSession session, CharSequence command, Object result) {
        write(command, "ok", false);
    }

    private void write(CharSequence command, String result, boolean isRefused) {
        if (command.toString().isBlank() || isOfLogin()) {
            return;
        }
        Optional<Subject> subject = Optional.ofNullable(Subject.current());
        JsonObject entry = entry(filtered(command), result, subject);
        String line = command.toString().strip();
        // of several commands those before the one that is refused have been given
        if (isRefused && ONE.matcher(line).matches() || isRead(line) || isOfViewer(subject)) {
            AuditLog.read(entry);
        } else {
            AuditLog.changed(entry);
        }
    }

    /** Whether a line is certain to change nothing. */
    static boolean isRead(String line) {
        Matcher plain = PLAIN.matcher(line);
        return plain.matches() && READS.contains(plain.group(1))
            && !OPERATES.matcher(line.substring(line.indexOf(':') + 1)).matches();
    }

    /** Whatever it is: the shell does nothing for viewers that changes anything. */
    private static boolean isOfViewer(Optional<Subject> subject) {
        Set<String> roles = principals(subject, "RolePrincipal").collect(Collectors.toSet());
        return !roles.isEmpty() && OF_VIEWERS.containsAll(roles);
    }

    /**
     * Whether the present thread executes the files of {@code etc} that Karaf executes at each login. Variables of the
     * session say so, too, but the user can set them.
     */
    private static boolean isOfLogin() {
        return StackWalker.getInstance().walk(frames -> frames.anyMatch(frame -> frame.getMethodName()
            .equals("executeScript") && frame.getClassName().startsWith("org.apache.karaf.shell.")));
    }

    private String filtered(CharSequence command) {
        CharSequence filtered = command;
        for (CommandLoggingFilter filter : filters) {
            filtered = filter.filter(filtered);
        }
        return filtered.toString().strip();
    }

    static JsonObject entry(String command, String result, Optional<Subject> subject) {
        JsonObject entry = new JsonObject();
        entry.addProperty("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        entry.addProperty("via", "shell");
        // ssh(/127.0.0.1:41234)
        AuditLog.add(entry, "from", Optional.of(principal(subject, "ClientPrincipal")
            .map(client -> client.replaceFirst("^[a-z]+\\(/?(.*)\\)$", "$1")).orElse(LOCAL)));
        AuditLog.add(entry, "user", principal(subject, "UserPrincipal"));
        AuditLog.add(entry, "command", Optional.of(command));
        AuditLog.add(entry, "result", Optional.of(result));
        return entry;
    }

    private static Optional<String> principal(Optional<Subject> subject, String kind) {
        return principals(subject, kind).findFirst();
    }

    private static Stream<String> principals(Optional<Subject> subject, String kind) {
        return subject.stream().flatMap(some -> some.getPrincipals().stream())
            .filter(each -> each.getClass().getSimpleName().equals(kind)).map(Principal::getName);
    }
}
