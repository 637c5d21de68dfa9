package org.daqfabric.impl.ovsdb;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.daqfabric.impl.ovsdb.Picture.ManagerRow;

/** Where a node finds its OpenFlow controllers. */
final class ControllerTargets {
    private static final Pattern MANAGER = Pattern.compile("(tcp|ssl):(\\[[^\\]]+\\]|[^:\\[\\]]+)(:\\d+)?");

    private ControllerTargets() {
    }

    /**
     * The targets for a node's bridges: the hosts of its own Manager rows, for there it reaches the controllers, also
     * through address translation, and all of a cluster; if it has none that lead anywhere, our own address as this
     * connection has it.
     */
    static SortedSet<String> of(Picture picture, String scheme, Optional<InetAddress> own, int openFlowPort) {
        SortedSet<String> targets = new TreeSet<>();
        for (ManagerRow manager : picture.managers().values()) {
            Matcher matcher = MANAGER.matcher(manager.target());
            if (matcher.matches()) {
                targets.add(matcher.group(1) + ":" + matcher.group(2) + ":" + openFlowPort);
            }
        }
        if (targets.isEmpty()) {
            own.ifPresent(address -> targets.add(scheme + ":" + host(address) + ":" + openFlowPort));
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
