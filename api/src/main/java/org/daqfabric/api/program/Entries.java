package org.daqfabric.api.program;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The rules or the groups of a program by key, immutable: one array of values in the order of the keys they contain.
 * Programs of edge switches, and successive programs of a switch, have most entries in common; equal entries are the
 * same object in all of them, and a comparison skips those by identity.
 *
 * @param <K> the key by which OpenFlow identifies a value
 */
public final class Entries<K extends Comparable<K>, V> extends AbstractMap<K, V> implements SortedMap<K, V> {
    private final Kind<K, V> kind;
    private final V[] values;

    /** The keys and the order of values, compared without creating a key each time. */
    private interface Kind<K, V> extends Comparator<V> {
        Kind<Rule.Key, Rule> RULES = new Kind<>() {
            @Override
            public Rule.Key key(Rule rule) {
                return rule.key();
            }

            @Override
            public int order(Rule rule, Rule.Key key) {
                int order = Integer.compare(rule.priority(), key.priority());
                return order != 0 ? order : rule.match().compareTo(key.match());
            }

            @Override
            public int compare(Rule one, Rule other) {
                int order = Integer.compare(one.priority(), other.priority());
                return order != 0 ? order : one.match().compareTo(other.match());
            }
        };
        Kind<Integer, Group> GROUPS = new Kind<>() {
            @Override
            public Integer key(Group group) {
                return group.id();
            }

            @Override
            public int order(Group group, Integer id) {
                return Integer.compare(group.id(), id);
            }

            @Override
            public int compare(Group one, Group other) {
                return Integer.compare(one.id(), other.id());
            }
        };

        K key(V value);

        int order(V value, K key);
    }

    private Entries(Kind<K, V> kind, V[] values) {
        this.kind = kind;
        this.values = values;
    }

    /** Rules by key; of two with the same key the later counts. */
    public static Entries<Rule.Key, Rule> ofRules(Collection<Rule> rules) {
        return new Entries<>(Kind.RULES, sorted(Kind.RULES, rules.toArray(Rule[]::new)));
    }

    /** Groups by id; of two with the same id the later counts. */
    public static Entries<Integer, Group> ofGroups(Collection<Group> groups) {
        return new Entries<>(Kind.GROUPS, sorted(Kind.GROUPS, groups.toArray(Group[]::new)));
    }

    private static <K, V> V[] sorted(Kind<K, V> kind, V[] values) {
        Arrays.sort(values, kind);
        int last = -1;
        for (V value : values) {
            if (last < 0 || kind.compare(values[last], value) != 0) {
                last++;
            }
            values[last] = value;
        }
        return last + 1 == values.length ? values : Arrays.copyOf(values, last + 1);
    }

    /**
     * These entries with changes.
     *
     * @param changes by key, the new value; null removes the key
     */
    public Entries<K, V> with(SortedMap<K, V> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        List<V> merged = new ArrayList<>(values.length + changes.size());
        int from = 0;
        for (Map.Entry<K, V> change : changes.entrySet()) {
            int at = find(change.getKey());
            int to = at >= 0 ? at : -at - 1;
            merged.addAll(Arrays.asList(values).subList(from, to));
            if (change.getValue() != null) {
                merged.add(change.getValue());
            }
            from = at >= 0 ? at + 1 : to;
        }
        merged.addAll(Arrays.asList(values).subList(from, values.length));
        return new Entries<>(kind, merged.toArray(Arrays.copyOf(values, 0)));
    }

    /** These entries, with the objects of an earlier version where they are equal; that version itself if all are. */
    public Entries<K, V> sharing(Entries<K, V> before) {
        if (this == before) {
            return this;
        }
        V[] shared = values.clone();
        int old = 0;
        int same = 0;
        for (int at = 0; at < shared.length; at++) {
            while (old < before.values.length && shared[at] != before.values[old]
                    && kind.compare(before.values[old], shared[at]) < 0) {
                old++;
            }
            if (old < before.values.length && shared[at].equals(before.values[old])) {
                shared[at] = before.values[old++];
                same++;
            }
        }
        return same == 0 ? this : same == shared.length && same == before.values.length ? before
            : new Entries<>(kind, shared);
    }

    /** Passes each difference to a later version: the value here and the value there, null where it is missing. */
    public void compare(Entries<K, V> later, BiConsumer<V, V> difference) {
        if (this == later) {
            return;
        }
        int one = 0;
        int other = 0;
        while (one < values.length || other < later.values.length) {
            V before = one < values.length ? values[one] : null;
            V after = other < later.values.length ? later.values[other] : null;
            int order = before == after ? 0 : before == null ? 1 : after == null ? -1 : kind.compare(before, after);
            if (order < 0) {
                difference.accept(before, null);
            } else if (order > 0) {
                difference.accept(null, after);
            } else if (!before.equals(after)) {
                difference.accept(before, after);
            }
            one += order <= 0 ? 1 : 0;
            other += order >= 0 ? 1 : 0;
        }
    }

    private int find(K key) {
        int low = 0;
        int high = values.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int order = kind.order(values[middle], key);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -low - 1;
    }

    @Override
    @SuppressWarnings("unchecked") // an array of a generic type cannot be made otherwise
    public @Nullable V get(Object key) {
        int at = find((K) key);
        return at >= 0 ? values[at] : null;
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public Collection<V> values() {
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<K, V>> iterator() {
                return IntStream.range(0, values.length)
                    .mapToObj(at -> Map.entry(kind.key(values[at]), values[at])).iterator();
            }

            @Override
            public int size() {
                return values.length;
            }
        };
    }

    @Override
    public Comparator<? super K> comparator() {
        return null;
    }

    @Override
    public SortedMap<K, V> subMap(K from, K to) {
        if (from.compareTo(to) > 0) {
            throw new IllegalArgumentException(from + " is after " + to);
        }
        return part(place(from), place(to));
    }

    @Override
    public SortedMap<K, V> headMap(K to) {
        return part(0, place(to));
    }

    @Override
    public SortedMap<K, V> tailMap(K from) {
        return part(place(from), values.length);
    }

    /** The position of a key, or the one where it would be inserted. */
    private int place(K key) {
        int at = find(key);
        return at >= 0 ? at : -at - 1;
    }

    private Entries<K, V> part(int from, int to) {
        return new Entries<>(kind, Arrays.copyOfRange(values, from, to));
    }

    @Override
    public K firstKey() {
        return kind.key(at(0));
    }

    @Override
    public K lastKey() {
        return kind.key(at(values.length - 1));
    }

    private V at(int index) {
        if (values.length == 0) {
            throw new NoSuchElementException();
        }
        return values[index];
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Entries<?, ?> entries ? kind == entries.kind
            && Arrays.equals(values, entries.values) : super.equals(other));
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
