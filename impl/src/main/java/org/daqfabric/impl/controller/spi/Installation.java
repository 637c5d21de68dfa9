package org.daqfabric.impl.controller.spi;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Which installation of daqfabric this is, a single controller or a cluster: bridges have its id, so that two that have
 * the same fabrics, as after one backup, do not change the same bridges in turn.
 *
 * @param id empty if it is not known
 * @param former ids of installations whose bridges are this one's by now
 */
public record Installation(String id, SortedSet<String> former) {
    public static final Installation UNKNOWN = new Installation("", new TreeSet<>());

    /** One that has taken over nothing. */
    public static Installation of(String id) {
        return new Installation(id, new TreeSet<>());
    }

    /**
     * Whether a bridge belongs to another installation.
     *
     * @param mark the id that the bridge has; null if it has none
     */
    public boolean isOther(@Nullable String mark) {
        return mark != null && !id.isEmpty() && !mark.equals(id) && !former.contains(mark);
    }

    /** With bridges of other installations. */
    public Installation takenOver(Collection<String> others) {
        SortedSet<String> all = new TreeSet<>(former);
        all.addAll(others);
        all.remove(id);
        all.remove("");
        return new Installation(id, all);
    }

    /**
     * This one after it has taken up a backup. One of another installation makes it a new one: the other one, if it is
     * still there, does not know the new id, and so leaves the bridges alone.
     *
     * @param backup whose backup it is; empty if the backup does not say
     * @param fresh an id that nobody has had
     */
    public Installation restored(Optional<Installation> backup, String fresh) {
        return backup.map(other -> {
            Installation next = other.id.equals(id) ? this : new Installation(fresh, former);
            return next.takenOver(other.former).takenOver(List.of(other.id, id));
        }).orElse(this);
    }
}
