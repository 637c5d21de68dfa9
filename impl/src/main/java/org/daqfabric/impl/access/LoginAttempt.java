package org.daqfabric.impl.access;

import com.google.common.hash.HashFunction;
import com.google.common.net.InetAddresses;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Somebody says to be a user, and gives a password.
 *
 * @param login who, from where
 * @param guess the password, as a hash that nobody can turn back
 */
record LoginAttempt(Login login, int guess) {
    private static final String BASIC = "basic ";
    private static final int LONGEST = 100;
    /** Of an address of IPv6: who has one has all of its network. */
    private static final int NETWORK_BYTES = 8;

    /** A user at an address. */
    record Login(String address, String user) {
    }

    /**
     * The attempt of a request.
     *
     * @param address where it came from
     * @param authorization the header, null if there is none
     * @return empty if it gives no password
     */
    static Optional<LoginAttempt> of(String address, @Nullable String authorization, HashFunction hash) {
        if (authorization == null || !authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return Optional.empty();
        }
        String given = authorization.substring(BASIC.length()).strip();
        return Optional.of(new LoginAttempt(new Login(network(address), user(given)),
            hash.hashString(given, StandardCharsets.UTF_8).asInt()));
    }

    /** Whether it is about a user who is logged in, who may be another one: one with a session gives no password. */
    boolean isOf(String user) {
        return plain(user).equals(login.user);
    }

    /** What nobody can read is one user. */
    private static String user(String given) {
        try {
            return plain(new String(Base64.getDecoder().decode(given), StandardCharsets.UTF_8).split(":", 2)[0]);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** However it is written. */
    private static String plain(String user) {
        String name = user.split("@", 2)[0].strip().toLowerCase(Locale.ROOT);
        return name.substring(0, Math.min(name.length(), LONGEST));
    }

    private static String network(String address) {
        String plain = address.replaceAll("[\\[\\]]|%.*", "");
        if (!InetAddresses.isInetAddress(plain)) {
            return plain.substring(0, Math.min(plain.length(), LONGEST));
        }
        InetAddress parsed = InetAddresses.forString(plain);
        return parsed instanceof Inet6Address six ? network(six) : parsed.getHostAddress();
    }

    private static String network(Inet6Address address) {
        return HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES))
            .replaceAll(".{4}(?=.)", "$0:") + "::/64";
    }
}
