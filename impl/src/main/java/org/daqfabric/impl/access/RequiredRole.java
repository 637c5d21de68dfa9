package org.daqfabric.impl.access;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.daqfabric.impl.audit.HttpFilter;

/**
 * The least role for a request: what is not named here is for admin. Decided from the address as it was sent, before
 * anyone has interpreted it, so that what could be read in two ways is for admin too.
 */
final class RequiredRole {
    /** Modules whose data an operator may write. */
    private static final Set<String> WRITABLE = Set.of("daqfabric", "daqfabric-alarms");
    /** Modules whose data a viewer may read; others hold keys and passwords of OpenDaylight and of devices. */
    private static final Set<String> READABLE = Set.of("daqfabric", "daqfabric-alarms", "daqfabric-cluster",
        "daqfabric-run-control", "ietf-yang-library", "opendaylight-inventory");
    /** A path that leads into another module: the controller's own store, or a device's datastore. */
    private static final Set<String> ELSEWHERE = Set.of("daqfabric-store", "yang-ext");
    private static final String CAPABILITIES = "capabilities";

    private RequiredRole() {
    }

    /**
     * The role that a request needs.
     *
     * @param path as sent, from the root of the server, without the query
     * @param query as sent, null if there is none
     */
    static UserRole of(String method, String path, String query) {
        List<String> names = names(path);
        if (names.isEmpty()) {
            return UserRole.ADMIN;
        }
        boolean reads = HttpFilter.READS.contains(method);
        return switch (names.getFirst()) {
            case "metrics" -> UserRole.SCRAPER;
            case "daqfabric" -> UserRole.VIEWER;
            case "openapi", ".well-known" -> reads ? UserRole.VIEWER : UserRole.ADMIN;
            case "rests" -> restconf(method, names.subList(1, names.size()), query);
            default -> UserRole.ADMIN;
        };
    }

    /**
     * The role that a request to RESTCONF needs.
     *
     * @param names those of the path after the root of RESTCONF
     */
    private static UserRole restconf(String method, List<String> names, String query) {
        boolean reads = HttpFilter.READS.contains(method);
        if (names.isEmpty()) {
            return reads ? UserRole.VIEWER : UserRole.ADMIN;
        }
        return switch (names.getFirst()) {
            case "data" -> names.size() > 1 ? data(reads, names.subList(1, names.size()))
                : reads ? all(query) : UserRole.ADMIN;
            case "operations" -> reads ? UserRole.VIEWER : names.size() == 2 && method.equals("POST")
                ? RpcRoles.of(names.getLast()) : UserRole.ADMIN;
            case "streams", "modules", "yang-library-version" -> reads ? UserRole.VIEWER : UserRole.ADMIN;
            default -> UserRole.ADMIN;
        };
    }

    /** Reading the root, of which only parts may be asked for. */
    private static UserRole all(String query) {
        List<String> parts = RootFields.of(query);
        return !parts.isEmpty() && parts.stream().allMatch(part -> READABLE.contains(module(part)))
            ? UserRole.VIEWER : UserRole.ADMIN;
    }

    private static UserRole data(boolean reads, List<String> names) {
        if (names.stream().anyMatch(name -> ELSEWHERE.contains(module(name)))) {
            return UserRole.ADMIN;
        }
        String module = module(names.getFirst());
        if (reads) {
            return READABLE.contains(module) || isReadable(module, names) ? UserRole.VIEWER : UserRole.ADMIN;
        }
        return WRITABLE.contains(module) ? UserRole.OPERATOR : UserRole.ADMIN;
    }

    /** The topologies of our fabrics, but not those of devices; what RESTCONF can do, but not who listens to what. */
    private static boolean isReadable(String module, List<String> names) {
        return names.size() > 1 && switch (module) {
            case "network-topology" -> names.get(1).startsWith("topology=daqfabric:");
            case "ietf-restconf-monitoring" -> names.get(1).equals(CAPABILITIES);
            default -> false;
        };
    }

    private static String module(String name) {
        String node = name.substring(0, name.indexOf('=') < 0 ? name.length() : name.indexOf('='));
        return node.substring(0, Math.max(0, node.indexOf(':')));
    }

    /** The decoded names of a path; empty if it is not clear what they are. */
    private static List<String> names(String path) {
        if (path.indexOf(';') >= 0 || path.indexOf('\\') >= 0 || !path.startsWith("/")) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        String[] sent = path.substring(1).split("/", -1);
        for (int index = 0; index < sent.length; index++) {
            String name;
            try {
                name = URLDecoder.decode(sent[index].replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return List.of();
            }
            boolean last = index == sent.length - 1;
            if (name.isEmpty() && !last || name.equals(".") || name.equals("..")) {
                return List.of();
            }
            // only the value of a key may have what separates names
            if (name.contains("/") && !(name.contains("=") && name.indexOf('/') > name.indexOf('='))) {
                return List.of();
            }
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }
}
