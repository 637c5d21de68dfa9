package org.daqfabric.impl.engine.compile;

import java.util.List;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.identity.Fnv;

/**
 * The purpose of a group in a switch. It stays the same while links fail and return, so that a failure changes the
 * content of a few groups and no rule.
 *
 * <p>Spines and pods are given by their marks ({@code SwitchIdentity}), which stay when an id changes.
 *
 * <p>Group ids are a hash of {@code toString}: the names of these records and of their components are part of what
 * switches hold, and a renamed one replaces every group of a running fabric ({@code WireNamesTest}).
 */
sealed interface GroupKey {
    /**
     * At a leaf: to a pod by the placed spine, then its backup.
     *
     * @param lanes the lanes of the address, of those two spines with parallel links; usually empty
     */
    record ToPod(int pod, int spine, int backup, List<PortId> lanes) implements GroupKey {
    }

    /** At a leaf: to a spine, for packets that another spine turned back. */
    record Turned(int spine) implements GroupKey {
    }

    /** At a spine: to the leaf of a pod, or back by the in-port. */
    record ToLeaf(int pod, List<PortId> lanes) implements GroupKey {
    }

    /** At a spine: into the daqring of an address, or back by the in-port. */
    record ToRing(Address address) implements GroupKey {
    }

    /** At a spine: from a daqring to the leaf of a pod, or round by another leaf. */
    record FromRing(int pod, List<PortId> lanes) implements GroupKey {
    }

    /** At a spine: back by the in-port; always live, as it watches nothing. */
    record Back() implements GroupKey {
    }

    /** At an edge switch: to another edge switch by these planes, in their order. */
    record ToEdge(String edge, List<Integer> planes, List<PortId> lanes) implements GroupKey {
    }

    /** At a leaf: to an edge switch of its pod by parallel links. */
    record ToUplinks(String edge, List<PortId> lanes) implements GroupKey {
    }

    /**
     * The group id: {@link Group#ID_MARK} in the highest byte, and 24 bits that are the same in every process.
     *
     * @param attempt 0; 1, 2 and so on where other keys of the switch have the ids of the attempts before
     */
    default int id(int attempt) {
        long hash = Fnv.OFFSET_BASIS + attempt;
        String text = toString();
        for (int i = 0; i < text.length(); i++) {
            hash = Fnv.add(hash, text.charAt(i));
        }
        hash ^= hash >>> 29;
        hash *= 0xbf58476d1ce4e5b9L;
        return Group.ID_MARK << 24 | (int) (hash >>> 40);
    }
}
