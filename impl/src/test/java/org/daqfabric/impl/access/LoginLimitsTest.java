package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.daqfabric.impl.access.FailedLogins.Bound;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who guesses passwords is slowed down, and keeps nobody out. */
class LoginLimitsTest {
    private static final HashFunction HASH = Hashing.sipHash24(1, 2);
    private static final long SECOND = FailedLogins.SECOND;
    private static final String RIGHT = "right";

    private final LoginLimits limits = new LoginLimits();
    /** Nanoseconds since any time, also just before a count of them begins anew. */
    private long now = Long.MAX_VALUE - 3 * SECOND;
    private int guesses;

    private static LoginAttempt attempt(String address, String user, String password) {
        return LoginAttempt.of(address, "Basic " + Base64.getEncoder().encodeToString((user + ':' + password)
            .getBytes(StandardCharsets.UTF_8)), HASH).orElseThrow();
    }

    /** Asks for a login; whether its password was looked at. */
    private boolean ask(String address, String user, String password) {
        LoginAttempt attempt = attempt(address, user, password);
        if (limits.pause(attempt, now) > 0) {
            return false;
        }
        if (password.equals(RIGHT)) {
            limits.succeeded(attempt, now);
        } else {
            limits.failed(attempt, now);
        }
        return true;
    }

    private boolean guess(String address, String user) {
        return ask(address, user, "wrong " + ++guesses);
    }

    private long pause(String address, String user) {
        return limits.pause(attempt(address, user, RIGHT), now);
    }

    /** A page asks for many files at once; which of the requests reads the clock first is not known. */
    @Test
    void requestsAtTheSameTimeDoNotWaitForEachOther() {
        assertThat(guess("10.0.0.1", "admin")).isTrue();
        now -= 20_000;
        assertThat(ask("10.0.0.1", "admin", RIGHT)).isTrue();
        assertThat(guess("10.0.0.1", "admin")).isTrue();
        assertThat(ask("10.0.0.1", "admin", RIGHT)).isTrue();
        now -= 20_000;
        assertThat(ask("10.0.0.1", "admin", RIGHT)).isTrue();
    }

    @Test
    void thePauseGrowsUpToABound() {
        for (int each = 0; each < Bound.STRANGE.free() - 1; each++) {
            assertThat(guess("10.0.0.1", "admin")).isTrue();
            assertThat(pause("10.0.0.1", "admin")).isZero();
        }
        long last = 0;
        for (int each = 0; each < 20; each++) {
            assertThat(guess("10.0.0.1", "admin")).isTrue();
            long pause = pause("10.0.0.1", "admin");
            assertThat(pause).isBetween(Math.max(SECOND, last), Bound.STRANGE.longest());
            assertThat(guess("10.0.0.1", "admin")).isFalse();
            last = pause;
            now += pause;
        }
        assertThat(last).isEqualTo(Bound.STRANGE.longest());
        // another user, and another address, are not meant
        assertThat(pause("10.0.0.1", "viewer")).isZero();
        assertThat(pause("10.0.0.2", "admin")).isZero();
        // and once it is quiet all of it is forgotten
        now += 16 * Bound.STRANGE.forgotten();
        for (int each = 0; each < Bound.STRANGE.free(); each++) {
            assertThat(guess("10.0.0.1", "admin")).isTrue();
        }
        assertThat(limits.counts()).containsEntry("wrong", 39L);
        assertThat(limits.counts().get("too-many")).isEqualTo(40);
    }

    /** Many requests at the same time are no way round: while one is looked at others wait. */
    @Test
    void oneAtATimeOnceThereIsAPause() {
        for (int each = 0; each < Bound.STRANGE.free(); each++) {
            guess("10.0.0.1", "admin");
        }
        now += SECOND;
        assertThat(limits.pause(attempt("10.0.0.1", "admin", "a"), now)).isZero();
        assertThat(limits.pause(attempt("10.0.0.1", "admin", "b"), now)).isPositive();
        limits.succeeded(attempt("10.0.0.1", "admin", "a"), now);
        assertThat(pause("10.0.0.1", "admin")).isZero();
    }

    /** A program with a former password; the user himself is not kept out beside it. */
    @Test
    void theSameWrongPasswordAgainIsNoOtherGuess() {
        for (int each = 0; each < 10_000; each++) {
            assertThat(ask("10.0.0.1", "viewer", "former")).isTrue();
            now += SECOND / 10;
        }
        assertThat(pause("10.0.0.1", "viewer")).isZero();
        assertThat(limits.counts()).containsEntry("wrong", 10_000L).containsEntry("too-many", 0L);
    }

    @Test
    void anAddressHasABoundForAllUsersThatLeavesThoseItKnows() {
        assertThat(ask("10.0.0.1", "anna", RIGHT)).isTrue();
        int looked = 0;
        for (int each = 0; each < 3000; each++) {
            looked += guess("10.0.0.1", "user" + each) ? 1 : 0;
            now += SECOND / 1000;
        }
        assertThat(looked).isBetween(Bound.ADDRESS.free(), Bound.ADDRESS.free() + 50);
        assertThat(pause("10.0.0.1", "berta")).isBetween(1L, Bound.ADDRESS.longest());
        assertThat(pause("10.0.0.1", "anna")).isZero();
        assertThat(pause("10.0.0.2", "berta")).isZero();
    }

    /** From as many addresses as somebody has: each gets less then, and a new one is looked at all the same. */
    @Test
    void manyAddressesThatGuessTheSameUser() {
        for (int address = 0; address < 250; address++) {
            guess("10.0.0." + address, "admin");
        }
        assertThat(guess("10.0.1.1", "admin")).isTrue();
        assertThat(guess("10.0.1.1", "admin")).isFalse();
        assertThat(pause("10.0.1.2", "admin")).isZero();
        assertThat(guess("10.0.1.3", "viewer")).isTrue();
        assertThat(guess("10.0.1.3", "viewer")).isTrue();
    }

    /** Attackers of any number guess what they like; whoever logged in from an address lately does so at once. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void nobodyIsLockedOut(long seed) {
        Random random = new Random(seed);
        List<String> users = List.of("admin", "operator", "viewer", "scraper");
        int attackers = 1 + random.nextInt(300);
        int looked = 0;
        assertThat(ask("192.0.2.1", "operator", RIGHT)).isTrue();
        long begin = now;
        for (int step = 0; step < 20_000; step++) {
            String address = "10.1." + random.nextInt(attackers) / 100 + "." + random.nextInt(attackers) % 100;
            looked += guess(address, users.get(random.nextInt(users.size()))) ? 1 : 0;
            now += random.nextLong(SECOND / 50);
            if (random.nextInt(50) == 0) {
                assertThat(ask("192.0.2.1", "operator", RIGHT)).as("step " + step).isTrue();
                // whoever comes to another desk is looked at once in any case
                assertThat(pause("192.0.3." + step, "operator")).as("step " + step).isZero();
            }
        }
        long addresses = 400;
        long each = Bound.STRANGE.free() + 5 + (now - begin) / Bound.STRANGE.longest();
        assertThat((long) looked).isLessThan(addresses * users.size() * each);
    }

    /** Behind one proxy with an attacker there is no more than that: a pause that stays small. */
    @Test
    void aKnownAddressHasAnAllowanceOfItsOwn() {
        ask("192.0.2.1", "operator", RIGHT);
        for (int each = 0; each < Bound.KNOWN.free(); each++) {
            assertThat(guess("192.0.2.1", "operator")).isTrue();
        }
        for (int each = 0; each < 10; each++) {
            long pause = pause("192.0.2.1", "operator");
            assertThat(pause).isBetween(SECOND, Bound.KNOWN.longest());
            now += pause;
            assertThat(guess("192.0.2.1", "operator")).isTrue();
        }
        now += Bound.KNOWN.longest();
        assertThat(ask("192.0.2.1", "operator", RIGHT)).isTrue();
        assertThat(ask("192.0.2.1", "operator", RIGHT)).isTrue();
        now += LoginLimits.KNOWN;
        for (int each = 0; each < Bound.STRANGE.free(); each++) {
            assertThat(guess("192.0.2.1", "operator")).isTrue();
        }
        assertThat(guess("192.0.2.1", "operator")).isFalse();
    }

    /** Whoever goes on is told, and nobody who mistypes; not for ever. */
    @Test
    void whoIsRefusedAgainAndAgainIsTold() {
        for (int each = 0; each < Bound.STRANGE.free() + LoginLimits.MANY - 1; each++) {
            guess("10.0.0.1", "admin");
        }
        assertThat(limits.refused(now)).isEmpty();
        guess("10.0.0.1", "admin");
        assertThat(limits.refused(now)).containsOnlyKeys("10.0.0.1");
        now += LoginLimits.TOLD + 1;
        assertThat(limits.refused(now)).isEmpty();
    }

    @Test
    void nothingGrowsWithTheNumberOfStrangers() {
        for (int each = 0; each < 3 * LoginLimits.MOST; each++) {
            guess("10." + each / 65536 + '.' + each / 256 % 256 + '.' + each % 256, "x".repeat(5000) + each);
        }
        assertThat(limits.sizes()).allMatch(size -> size <= LoginLimits.MOST);
        assertThat(attempt("10.0.0.1", "x".repeat(5000), "").login().user()).hasSize(100);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "2001:db8:0:1::5, 2001:db8:0:1:ffff::1, true",
        "2001:db8:0:1::5, 2001:db8:0:2::5, false",
        "fe80::1%eth0, fe80:0:0:0:0:0:0:2, true",
        "[2001:db8::1], 2001:db8::1, true",
        "::ffff:192.0.2.1, 192.0.2.1, true",
        "somewhere, somewhere, true",
    })
    void whoeverHasAnAddressOfIpv6HasItsNetwork(String one, String other, boolean same) {
        assertThat(attempt(one, "a", "").login().equals(attempt(other, "a", "").login())).isEqualTo(same);
    }

    @Test
    void aUserIsTheSameHoweverItIsWritten() {
        for (String each : List.of("Admin", "admin@sdn", " ADMIN@other")) {
            assertThat(attempt("a", each, "x").login()).isEqualTo(attempt("a", "admin", "y").login());
        }
        assertThat(attempt("a", "b", "x")).isNotEqualTo(attempt("a", "b", "y"));
    }

    @Test
    void whatCannotBeReadIsAnAttemptToo() {
        assertThat(LoginAttempt.of("a", null, HASH)).isEmpty();
        assertThat(LoginAttempt.of("a", "Bearer eA==", HASH)).isEmpty();
        for (String each : List.of("Basic", "Basic ", "basic !!!", "BASIC YWRtaW4 6", "Basic eA==")) {
            assertThat(LoginAttempt.of("a", each, HASH).isPresent()).as(each).isEqualTo(!each.equals("Basic"));
        }
    }
}
