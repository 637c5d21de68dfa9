package org.daqfabric.api.alarm;

import java.util.Comparator;
import java.util.Locale;
import org.daqfabric.api.spec.PortId;

/**
 * What an alarm is about. Its text is a path: {@code fabric/FABRIC}, {@code fabric/FABRIC/link/SWITCH:PORT}, or
 * {@code memory/heap} for what belongs to no fabric.
 *
 * @param fabric empty for what belongs to the controller or a node
 * @param name empty for the fabric as a whole; a link by the end it is declared under
 */
public record AlarmResource(String fabric, Kind kind, String name) implements Comparable<AlarmResource> {
    private static final String FABRIC_PREFIX = "fabric/";
    private static final Comparator<AlarmResource> ORDER = Comparator
        .comparing((AlarmResource each) -> each.fabric).thenComparing(AlarmResource::kind)
        .thenComparing(AlarmResource::name);

    public enum Kind {
        FABRIC, SWITCH, LINK, PORT, PARTITION, LISTENER, DATASTORE, CONTROLLER, CERTIFICATE, NODE, PEER;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static AlarmResource fabric(String fabric) {
        return new AlarmResource(fabric, Kind.FABRIC, "");
    }

    public static AlarmResource ofSwitch(String fabric, String name) {
        return new AlarmResource(fabric, Kind.SWITCH, name);
    }

    public static AlarmResource link(String fabric, PortId end) {
        return new AlarmResource(fabric, Kind.LINK, end.toString());
    }

    public static AlarmResource port(String fabric, PortId port) {
        return new AlarmResource(fabric, Kind.PORT, port.toString());
    }

    /** A partition; without fabric before it is first prepared. */
    public static AlarmResource partition(String fabric, String name) {
        return new AlarmResource(fabric, Kind.PARTITION, name);
    }

    /** Something that belongs to no fabric. */
    public static AlarmResource own(Kind kind, String name) {
        return new AlarmResource("", kind, name);
    }

    /**
     * The resource with this text.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static AlarmResource parse(String text) {
        String fabric = "";
        String rest = text;
        if (text.startsWith(FABRIC_PREFIX)) {
            int end = text.indexOf('/', FABRIC_PREFIX.length());
            fabric = text.substring(FABRIC_PREFIX.length(), end < 0 ? text.length() : end);
            if (end < 0) {
                return fabric(fabric);
            }
            rest = text.substring(end + 1);
        }
        int slash = rest.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(text + " is no resource of alarms");
        }
        return new AlarmResource(fabric, Kind.valueOf(rest.substring(0, slash).toUpperCase(Locale.ROOT)),
            rest.substring(slash + 1));
    }

    @Override
    public int compareTo(AlarmResource other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return kind == Kind.FABRIC ? FABRIC_PREFIX + fabric
            : (fabric.isEmpty() ? "" : FABRIC_PREFIX + fabric + "/") + kind.text() + "/" + name;
    }
}
