package org.daqfabric.impl.access;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.impl.access.FailedLogins.Bound;
import org.daqfabric.impl.access.LoginAttempt.Login;

/**
 * Which logins are looked at, and which are refused before that, as too many failed: of the same user from the same
 * address, and of all users from it. An address from which a user has logged in lately has an allowance of its own for
 * that user, of which nobody elsewhere takes anything: nobody is locked out by others. The same wrong password again is
 * no other guess: a program with a former password locks nobody out either. Thread-safe; times are nanoseconds since
 * any time.
 */
final class LoginLimits {
    /** For which an address is known for a user. */
    static final long KNOWN = 24 * 3600 * FailedLogins.SECOND;
    /** For which an address is told after a refusal. */
    static final long TOLD = 600 * FailedLogins.SECOND;
    static final int MOST = 8192;
    /** After so many refusals: somebody who mistypes is not told. */
    static final int MANY = 50;
    /** More addresses are not told. */
    static final int MOST_TOLD = 100;

    /** When users have logged in at last. */
    @GuardedBy("this")
    private final Cache<Login, Long> known = cache();
    @GuardedBy("this")
    private final Cache<Login, FailedLogins> failed = cache();
    @GuardedBy("this")
    private final Cache<String, FailedLogins> ofAddresses = cache();
    @GuardedBy("this")
    private final Cache<String, FailedLogins> ofUsers = cache();
    /** By address. */
    @GuardedBy("this")
    private final SortedMap<String, Refusals> refused = new TreeMap<>();
    @GuardedBy("this")
    private long wrong;
    @GuardedBy("this")
    private long tooMany;

    /**
     * Refusals of an address, one soon after another.
     *
     * @param at when the last one was
     */
    private record Refusals(long count, long at) {
        boolean isOver(long now) {
            return now - at > TOLD;
        }
    }

    private static <K, V> Cache<K, V> cache() {
        return CacheBuilder.newBuilder().maximumSize(MOST).build();
    }

    /** Nanoseconds until an attempt is looked at; 0 if this one is, whose outcome is then to be told. */
    synchronized long pause(LoginAttempt attempt, long now) {
        Login login = attempt.login();
        boolean strange = !isKnown(login, now);
        Bound bound = bound(login, now);
        FailedLogins here = of(failed, login, now, bound);
        FailedLogins address = of(ofAddresses, login.address(), now, Bound.ADDRESS);
        boolean again = here.count() > 0 && here.guess() == attempt.guess();
        long pause = Math.max(here.pause(now), strange ? address.pause(now) : 0);
        if (pause > 0) {
            tooMany++;
            tell(login.address(), now);
            return pause;
        }
        if (here.isSpent(bound) && !again) {
            failed.put(login, here.begun(now, bound));
        }
        if (strange && !again && address.isSpent(Bound.ADDRESS)) {
            ofAddresses.put(login.address(), address.begun(now, Bound.ADDRESS));
        }
        return 0;
    }

    /** One that was looked at had a wrong password. */
    synchronized void failed(LoginAttempt attempt, long now) {
        Login login = attempt.login();
        wrong++;
        Bound bound = bound(login, now);
        FailedLogins here = of(failed, login, now, bound);
        if (here.count() > 0 && here.guess() == attempt.guess()) {
            return;
        }
        failed.put(login, here.failed(now, bound, attempt.guess()));
        if (!isKnown(login, now)) {
            ofAddresses.put(login.address(), of(ofAddresses, login.address(), now, Bound.ADDRESS)
                .failed(now, Bound.ADDRESS, attempt.guess()));
            ofUsers.put(login.user(), of(ofUsers, login.user(), now, Bound.USER)
                .failed(now, Bound.USER, attempt.guess()));
        }
    }

    /** One that was looked at had the right password. */
    synchronized void succeeded(LoginAttempt attempt, long now) {
        FailedLogins here = failed.getIfPresent(attempt.login());
        if (here != null) {
            if (isKnown(attempt.login(), now)) {
                // somebody else may fail there: behind the same proxy
                failed.put(attempt.login(), here.heard(now));
            } else {
                failed.invalidate(attempt.login());
            }
        }
        known.put(attempt.login(), now);
    }

    /** How many passwords were wrong, and how many were not looked at, by these names. */
    synchronized SortedMap<String, Long> counts() {
        return new TreeMap<>(Map.of("wrong", wrong, "too-many", tooMany));
    }

    /** The addresses that were refused often lately. */
    synchronized SortedMap<String, String> refused(long now) {
        refused.values().removeIf(each -> each.isOver(now));
        SortedMap<String, String> told = new TreeMap<>();
        refused.forEach((address, refusals) -> {
            if (refusals.count >= MANY) {
                told.put(address, "too many failed logins");
            }
        });
        return told;
    }

    /** How much is kept, of each kind. */
    synchronized List<Long> sizes() {
        return List.of(known.size(), failed.size(), ofAddresses.size(), ofUsers.size(), (long) refused.size());
    }

    @GuardedBy("this")
    private void tell(String address, long now) {
        if (refused.size() >= MOST_TOLD) {
            refused.values().removeIf(each -> each.isOver(now));
        }
        Refusals before = refused.get(address);
        if (before != null || refused.size() < MOST_TOLD) {
            refused.put(address, new Refusals(before == null || before.isOver(now) ? 1 : before.count + 1, now));
        }
    }

    @GuardedBy("this")
    private boolean isKnown(Login login, long now) {
        Long when = known.getIfPresent(login);
        return when != null && now - when < KNOWN;
    }

    @GuardedBy("this")
    private Bound bound(Login login, long now) {
        return isKnown(login, now) ? Bound.KNOWN
            : of(ofUsers, login.user(), now, Bound.USER).isSpent(Bound.USER) ? Bound.SUSPECT : Bound.STRANGE;
    }

    private static <K> FailedLogins of(Cache<K, FailedLogins> cache, K key, long now, Bound bound) {
        FailedLogins found = cache.getIfPresent(key);
        return found == null ? FailedLogins.none(now) : found.at(now, bound);
    }
}
