package org.daqfabric.impl.ovsdb;

import com.google.common.net.InetAddresses;
import com.google.gson.JsonObject;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.ManagerRow;

/**
 * The OpenFlow controllers that a node's bridges connect to. Each controller that a node reaches marks the Manager row
 * that leads to it, so that the members of a cluster know of each other, and no other program that manages the node is
 * made a controller of our bridges.
 */
final class ControllerTargets {
    private static final Pattern MANAGER = Pattern.compile("(tcp|ssl):(\\[[^\\]]+\\]|[^:\\[\\]]+)(:\\d+)?");
    private static final String MARK = BridgePlan.MARK;
    /** The mark of a controller that does not know which installation it is. */
    private static final String MARKED = "controller";

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

    /**
     * How a node is connected.
     *
     * @param secured whether over TLS
     * @param dialled whether the controller connected to the node
     * @param own the controller's address on this connection; empty if it is not known
     * @param members how many controllers the cluster has
     * @param trusted targets of Manager rows that were known to lead to controllers of ours
     * @param installation which installation this is
     */
    record Way(boolean secured, boolean dialled, Optional<InetAddress> own, int members, Set<String> trusted,
            Installation installation) {
        static Way of(OvsdbSession session, int members, Set<String> trusted, Installation installation) {
            return new Way(session.connection().isSecured(), session.isDialled(),
                Optional.of(session.connection().localAddress()), members, trusted, installation);
        }

        /** Whether a member of this installation has marked it; one that does not know which it is trusts all marks. */
        private boolean isMarked(ManagerRow manager) {
            String mark = manager.externalIds().get(MARK);
            return mark != null && (installation.id().isEmpty() || mark.equals(MARKED)
                || mark.equals(installation.id()));
        }

        private String mark() {
            return installation.id().isEmpty() ? MARKED : installation.id();
        }

        private boolean isTo(String host) {
            String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return own.isPresent() && InetAddresses.isInetAddress(literal)
                && Arrays.equals(InetAddresses.forString(literal).getAddress(), own.get().getAddress());
        }
    }

    /** The targets of a node's bridges: those in the settings, or without any, where the node reaches controllers. */
    static SortedSet<String> of(OvsdbSettings settings, Way way, OvsdbSnapshot snapshot) {
        return settings.controllers().isEmpty()
            ? of(snapshot, way,
                new Ports(settings.openFlowPort(), settings.tls().map(OvsdbSettings.Tls::openFlowPort).orElse(0)))
            : new TreeSet<>(settings.controllers());
    }

    /**
     * The targets for a node's bridges: the hosts of those of its Manager rows that lead to controllers of ours. If
     * there is none, or this controller connected to the node, it is the local address of this connection. A host that
     * is a manager both with and without TLS is a controller with TLS only.
     */
    static SortedSet<String> of(OvsdbSnapshot snapshot, Way way, Ports ports) {
        Set<String> ours = ours(snapshot, way);
        Map<String, Boolean> hosts = new HashMap<>();
        for (ManagerRow manager : snapshot.managers().values()) {
            host(manager).filter(ours::contains).ifPresent(host ->
                hosts.merge(host, manager.target().startsWith("ssl:"), Boolean::logicalOr));
        }
        SortedSet<String> targets = new TreeSet<>();
        hosts.forEach((host, overTls) -> ports.target(overTls, host).ifPresent(targets::add));
        if (targets.isEmpty() || way.dialled()) {
            way.own().flatMap(address -> ports.target(way.secured(), shown(address))).ifPresent(targets::add);
        }
        return targets;
    }

    /**
     * The hosts of managers that are controllers of ours: that with the address of this connection, and marked ones, as
     * each member marks its own. Where none has that address, because of address translation or names, all are ours
     * unless there are more than the cluster has members; then those that were known before; and if none was, nobody
     * can know, and all are used. Of a node that this controller connects to, none but marked ones.
     */
    private static Set<String> ours(OvsdbSnapshot snapshot, Way way) {
        Set<String> all = new TreeSet<>();
        Set<String> known = new TreeSet<>();
        boolean isDirect = way.dialled();
        for (ManagerRow manager : snapshot.managers().values()) {
            String host = host(manager).orElse("");
            if (!host.isEmpty()) {
                all.add(host);
                isDirect |= way.isTo(host);
                if (way.isTo(host) || way.isMarked(manager) || way.trusted().contains(manager.target())) {
                    known.add(host);
                }
            }
        }
        return isDirect || all.size() > way.members() && !known.isEmpty() ? known : all;
    }

    /** The Manager rows to be marked as leading to controllers of ours: only those of which that is certain. */
    static List<ManagerRow> certain(OvsdbSnapshot snapshot, Way way) {
        List<ManagerRow> named = snapshot.managers().values().stream().filter(each -> host(each).isPresent()).toList();
        boolean isDirect = named.stream().anyMatch(each -> way.isTo(host(each).orElseThrow()));
        boolean areAll = !isDirect && named.stream().map(each -> host(each).orElseThrow()).distinct().count()
            <= way.members();
        return way.dialled() ? List.of() : named.stream().filter(each -> areAll
            || way.isTo(host(each).orElseThrow()) || way.trusted().contains(each.target())).toList();
    }

    /** Marks Manager rows; nothing to do once they are marked. */
    static List<JsonObject> mark(List<ManagerRow> managers, Way way) {
        Operations operations = new Operations();
        managers.forEach(each -> {
            RowChanges changes = new RowChanges("Manager", each.uuid());
            changes.entries("external_ids", each.externalIds(), Map.of(MARK, way.mark()));
            changes.addTo(operations);
        });
        return operations.list();
    }

    private static Optional<String> host(ManagerRow manager) {
        Matcher matcher = MANAGER.matcher(manager.target());
        return matcher.matches() ? Optional.of(matcher.group(2)) : Optional.empty();
    }

    private static String shown(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        String host = scope < 0 ? text : text.substring(0, scope);
        return address instanceof Inet6Address ? "[" + host + "]" : host;
    }
}
