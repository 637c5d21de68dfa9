package org.daqfabric.impl;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where {@code etc/org.daqfabric.cfg} has the controller listen: an IP address, or a name of this machine. */
final class ListenSetting {
    private static final Pattern BRACKETS = Pattern.compile("^\\[(.*)\\]$");

    private ListenSetting() {
    }

    /**
     * Reads an address.
     *
     * @param setting its name, for the error
     * @param written empty for no listener
     * @param port 0 for no listener
     * @throws IllegalArgumentException if no address of other machines' is written there, with what to change
     */
    static Optional<InetSocketAddress> of(String setting, String written, int port) {
        return written.isBlank() || port == 0 ? Optional.empty()
            : Optional.of(new InetSocketAddress(address(setting, written.strip()), port));
    }

    private static InetAddress address(String setting, String written) {
        String plain = BRACKETS.matcher(written).replaceFirst("$1");
        if (InetAddresses.isInetAddress(plain)) {
            return InetAddresses.forString(plain);
        }
        InetAddress named;
        try {
            named = InetAddress.getByName(written);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(wrong(setting, written,
                "is no IP address, nor a name that this machine knows: write"), e);
        }
        if (named.isLoopbackAddress() && !written.equals("localhost")) {
            // as a line leads there that Debian's installation writes
            throw new IllegalArgumentException(wrong(setting, written, "leads to " + named.getHostAddress()
                + " on this machine, where no other one connects: correct /etc/hosts, or write"));
        }
        return named;
    }

    private static String wrong(String setting, String written, String why) {
        return "etc/org.daqfabric.cfg: " + setting + "=" + written + " " + why
            + " this machine's address in the control network";
    }
}
