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

/** The OpenFlow controllers that a node's bridges connect to. */
final class ControllerTargets {
    private static final Pattern MANAGER = Pattern.compile("(tcp|ssl):(\\[[^\\]]+\\]|[^:\\[\\]]+)(:\\d+)?");

    private ControllerTargets() {
    }

    /**
     * The ports of the controllers' OpenFlow listeners; 0 where there is none.
     *
     * @param plain without TLS
     */
    record Ports(int plain, int tls) {
        /**
         * A manager over TLS leads to a controller over TLS or to none; plain TCP leads to TLS only if there is no
         * plain port.
         */
        private Optional<String> target(boolean secured, String host) {
            if (secured || plain == 0) {
                return tls == 0 ? Optional.empty() : Optional.of("ssl:" + host + ":" + tls);
            }
            return Optional.of("tcp:" + host + ":" + plain);
        }
    }

    /** The targets of a node's bridges: those in the settings, or without any, where the node has its managers. */
    static SortedSet<String> of(OvsdbSettings settings, OvsdbSession session, OvsdbSnapshot snapshot) {
        return settings.controllers().isEmpty()
            ? of(snapshot, session.connection().isSecured(), Optional.of(session.connection().localAddress()),
                new Ports(settings.openFlowPort(), settings.tls().map(OvsdbSettings.Tls::openFlowPort).orElse(0)))
            : new TreeSet<>(settings.controllers());
    }

    /**
     * The targets for a node's bridges: the hosts of its own Manager rows, because there it reaches the controllers,
     * even through address translation, and all members of a cluster. If no row can be used, it is the local address of
     * this connection. A host that is a manager both with and without TLS is a controller with TLS only.
     *
     * @param secured whether this connection is over TLS
     */
    static SortedSet<String> of(OvsdbSnapshot snapshot, boolean secured, Optional<InetAddress> own, Ports ports) {
        Map<String, Boolean> hosts = new HashMap<>();
        for (ManagerRow manager : snapshot.managers().values()) {
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
