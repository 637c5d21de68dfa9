package org.daqfabric.impl.ovsdb;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.ManagerRow;

/** Where a node finds its OpenFlow controllers. */
final class ControllerTargets {
    private static final Pattern MANAGER = Pattern.compile("(tcp|ssl):(\\[[^\\]]+\\]|[^:\\[\\]]+)(:\\d+)?");

    private ControllerTargets() {
    }

    /**
     * The ports of a controller's OpenFlow listeners, 0 for one that is not there.
     *
     * @param plain without TLS
     */
    record Ports(int plain, int tls) {
        /** A manager over TLS makes a controller over TLS, or none; never is it the other way but for want of a port. */
        private Optional<String> target(boolean secured, String host) {
            if (secured || plain == 0) {
                return tls == 0 ? Optional.empty() : Optional.of("ssl:" + host + ":" + tls);
            }
            return Optional.of("tcp:" + host + ":" + plain);
        }
    }

    /**
     * The targets for a node's bridges: the hosts of its own Manager rows, for there it reaches the controllers, also
     * through address translation, and all of a cluster; if it has none that lead anywhere, our own address as this
     * connection has it. A host that is a manager both with and without TLS is a controller with TLS only.
     *
     * @param secured whether this connection is over TLS
     */
    static SortedSet<String> of(OvsdbSnapshot picture, boolean secured, Optional<InetAddress> own, Ports ports) {
        Map<String, Boolean> hosts = new HashMap<>();
        for (ManagerRow manager : picture.managers().values()) {
            Matcher matcher = MANAGER.matcher(manager.target());
            if (matcher.matches()) {
                hosts.merge(matcher.group(2), matcher.group(1).equals("ssl"), Boolean::logicalOr);
            }
        }
        SortedSet<String> targets = new TreeSet<>();
        hosts.forEach((host, overTls) -> ports.target(overTls, host).ifPresent(targets::add));
        if (targets.isEmpty()) {
            own.flatMap(address -> ports.target(secured, host(address))).ifPresent(targets::add);
        }
        return targets;
    }

    private static String host(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        String host = scope < 0 ? text : text.substring(0, scope);
        return address instanceof Inet6Address ? "[" + host + "]" : host;
    }
}
