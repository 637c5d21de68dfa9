package org.daqfabric.impl.access;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.aaa.api.IDMStoreUtil;
import org.opendaylight.aaa.api.IIDMStore;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** What all that let users in must know: whose password all may know, and where too many logins failed. */
@Component(service = Logins.class, immediate = true)
public final class Logins {
    /** That of AAA's own account, name and password. */
    static final String KNOWN = "admin";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String KNOWN_ID = IDMStoreUtil.createUserid(KNOWN, IIDMStore.DEFAULT_DOMAIN);

    private final LoginLimits limits = new LoginLimits();
    private final HashFunction hash;
    private final LongSupplier nanos;
    private volatile String unstored = "";

    @Activate
    public Logins() {
        this(System::nanoTime);
    }

    Logins(LongSupplier nanos) {
        this.nanos = nanos;
        hash = Hashing.sipHash24(RANDOM.nextLong(), RANDOM.nextLong());
    }

    /** Why the first accounts have no passwords of their own yet; empty if they have. */
    public String unstored() {
        return unstored;
    }

    void unstored(String why) {
        unstored = why;
    }

    /** Whether a user must not be let in, as the account may still have the password that all know. */
    boolean keepsOut(@Nullable String user) {
        return !unstored.isEmpty() && KNOWN_ID.equals(user);
    }

    /** The attempt to log in that a request is; empty if it gives no password. */
    Optional<LoginAttempt> attempt(String address, @Nullable String authorization) {
        return LoginAttempt.of(address, authorization, hash);
    }

    /** Seconds until an attempt is looked at; 0 if this one is, whose outcome is then to be told. */
    long pause(LoginAttempt attempt) {
        return Math.ceilDiv(limits.pause(attempt, nanos.getAsLong()), FailedLogins.SECOND);
    }

    void ended(LoginAttempt attempt, boolean isRight) {
        if (isRight) {
            limits.succeeded(attempt, nanos.getAsLong());
        } else {
            limits.failed(attempt, nanos.getAsLong());
        }
    }

    /** How many logins were refused, by reason. */
    public SortedMap<String, Long> counts() {
        return limits.counts();
    }

    /** The addresses from which too many failed lately. */
    public SortedMap<String, String> refused() {
        return limits.refused(nanos.getAsLong());
    }
}
