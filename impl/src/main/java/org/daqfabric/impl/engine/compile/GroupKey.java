package org.daqfabric.impl.engine.compile;

import java.util.List;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.PortId;

/**
 * The purpose of a group in a switch. It stays the same while links fail and return, so that a failure changes the
 * content of a few groups and no rule.
 *
 * <p>Group ids are a hash of {@code toString}: the names of these records and of their components are part of what
 * switches hold, and a renamed one replaces every group of a running fabric ({@code WireNamesTest}).
 */
sealed interface GroupKey {
    /** At a leaf: to a pod by the placed spine, then its backup; lanes are chosen parallel links, usually none. */
    record ToPod(int pod, int spine, int backup, List<PortId> lanes) implements GroupKey {
    }

    /** At a leaf: to a spine, for what another spine turned back. */
    record Turned(int spine) implements GroupKey {
    }

    /** At a spine: to the leaf of a pod, or back to where the packet came from. */
    record ToLeaf(int pod, List<PortId> lanes) implements GroupKey {
    }

    /** At a spine: into the daqring of an address, or back to where the packet came from. */
    record ToRing(Ipv4 address) implements GroupKey {
    }

    /** At a spine: out of a daqring to the leaf of a pod, by several links. */
    record FromRing(int pod, List<PortId> lanes) implements GroupKey {
    }

    /** At a spine: back to where the packet came from; always alive, as it watches nothing. */
    record Back() implements GroupKey {
    }

    /** At an edge switch: to another edge switch by planes in this order. */
    record ToEdge(String edge, List<Integer> planes, List<PortId> lanes) implements GroupKey {
    }

    /** At a leaf: to an edge switch of its pod by several links. */
    record ToUplinks(String edge, List<PortId> lanes) implements GroupKey {
    }

    /** A number for the key that is the same in every process; 24 bits below our mark in the highest byte. */
    default int id(int attempt) {
        long hash = 0xcbf29ce484222325L + attempt;
        String text = toString();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        hash ^= hash >>> 29;
        hash *= 0xbf58476d1ce4e5b9L;
        return Group.ID_MARK << 24 | (int) (hash >>> 40);
    }
}
