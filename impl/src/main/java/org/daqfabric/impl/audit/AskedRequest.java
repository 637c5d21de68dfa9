package org.daqfabric.impl.audit;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A request over HTTP, of whichever of OpenDaylight's servers, about which a line is written when it has been answered.
 *
 * @param secure whether over HTTPS
 * @param from address and port
 * @param path with the query, as sent
 * @param authorization the header
 * @param reason the header
 */
record AskedRequest(Begin begin, boolean secure, String from, String method, String path,
        Optional<String> authorization, Optional<String> reason) {
    /** The status of who is not let in. */
    private static final int UNAUTHORIZED = 401;
    /** The status of who is not asked for a password, as too many were wrong. */
    private static final int TOO_MANY = 429;
    /** The header that says why. */
    static final String REASON = "X-Daqfabric-Reason";
    /** As in the header. */
    private static final String BASIC = "Basic ";
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    /** What follows may be a module of daqfabric, whose bodies have no secrets. */
    private static final Pattern OURS = Pattern.compile("[^?]*/(data|operations)/daqfabric[a-z-]*:.*");
    private static final Pattern ACCOUNTS = Pattern.compile("/auth(/.*)?");

    /**
     * When a request begins.
     *
     * @param shown by the system's clock
     * @param nanos by a clock that nobody sets
     */
    record Begin(Instant shown, long nanos) {
        static Begin now() {
            return new Begin(Instant.now(), System.nanoTime());
        }
    }

    /** Whether its body, or a part of it, is kept. */
    boolean showsBody() {
        return WITH_BODY.contains(method) && (isOfAccounts() || OURS.matcher(path).matches());
    }

    private boolean isOfAccounts() {
        return ACCOUNTS.matcher(path).matches();
    }

    /**
     * Writes the line.
     *
     * @param user who was let in
     * @param body as far as it was read, if it is one that is shown
     * @param changesNothing whether it was refused, or only reads, though its method can change something
     */
    void answered(int status, Optional<String> user, Optional<String> body, boolean changesNothing) {
        JsonObject entry = new JsonObject();
        entry.addProperty("time", begin.shown.truncatedTo(ChronoUnit.MILLIS).toString());
        entry.addProperty("via", secure ? "https" : "http");
        entry.addProperty("from", from);
        AuditLog.add(entry, "user", user);
        if (user.isEmpty()) {
            AuditLog.add(entry, "claimed-user", claimed());
        }
        AuditLog.add(entry, "method", Optional.of(method));
        AuditLog.add(entry, "path", Optional.of(path));
        AuditLog.add(entry, "reason", reason);
        AuditLog.add(entry, "body", isOfAccounts() ? body.flatMap(AccountBody::shown) : body);
        entry.addProperty("status", status);
        entry.addProperty("milliseconds", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin.nanos));
        if (isStranger(status) || changesNothing || HttpFilter.READS.contains(method)) {
            AuditLog.read(entry);
        } else {
            AuditLog.changed(entry);
        }
    }

    /** Whether nobody knows who was answered so. */
    static boolean isStranger(int status) {
        return status == UNAUTHORIZED || status == TOO_MANY;
    }

    /** Whom somebody says to be. */
    Optional<String> claimed() {
        return authorization.filter(header -> header.regionMatches(true, 0, BASIC, 0, BASIC.length()))
            .flatMap(header -> {
                try {
                    String login = new String(Base64.getDecoder().decode(header.substring(BASIC.length()).strip()),
                        StandardCharsets.UTF_8);
                    int colon = login.indexOf(':');
                    return colon < 0 ? Optional.empty() : Optional.of(login.substring(0, colon));
                } catch (IllegalArgumentException e) {
                    return Optional.empty();
                }
            });
    }
}
