package org.daqfabric.impl.engine.history;

import java.util.Comparator;

/**
 * What a configuration calls by a name or by numbers.
 *
 * @param kind what it is
 * @param number its number; 0 if it has none
 * @param within number of what it belongs to; 0 if it has none
 * @param name its name; empty if it has none
 */
record Part(Kind kind, int number, int within, String name) implements Comparable<Part> {
    /** The kinds of parts, in the order in which differences are listed. */
    enum Kind {
        POLICY("policy", "policies"),
        PLANE("plane", "planes"),
        SPINE("spine", "spines"),
        LEAF("leaf", "leaves"),
        POD("pod", "pods"),
        ROS("ROS", "ROS"),
        RACK("HLT rack", "HLT racks"),
        DCM("DCM", "DCMs"),
        HOST("host", "hosts"),
        SWITCH("switch", "switches"),
        LINK("link", "links"),
        FLOW("flow", "flows");

        private final String one;
        private final String many;

        Kind(String one, String many) {
            this.one = one;
            this.many = many;
        }

        String count(long parts) {
            return parts + " " + (parts == 1 ? one : many);
        }
    }

    private static final Comparator<Part> ORDER = Comparator.comparing(Part::kind).thenComparingInt(Part::within)
        .thenComparingInt(Part::number).thenComparing(Part::name);

    static Part named(Kind kind, String name) {
        return new Part(kind, 0, 0, name);
    }

    static Part numbered(Kind kind, int number, int within) {
        return new Part(kind, number, within, "");
    }

    /** The part in words. */
    String text() {
        return switch (kind) {
            case POLICY -> kind.one;
            case PLANE, POD -> kind.one + " " + number;
            case SPINE -> "spine " + number + " of plane " + within;
            case LEAF -> "leaf of pod " + number + " in plane " + within;
            case ROS, RACK, DCM, HOST, SWITCH, LINK, FLOW -> kind.one + " " + name;
        };
    }

    @Override
    public int compareTo(Part other) {
        return ORDER.compare(this, other);
    }
}
