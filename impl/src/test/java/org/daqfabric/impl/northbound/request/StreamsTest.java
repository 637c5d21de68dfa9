package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever users make and leave, there is a place for who may change something, and all is given back. */
class StreamsTest {
    private static final Shares.Owner OPERATOR = new Shares.Owner("operator", true);
    private static final Shares.Owner VIEWER = new Shares.Owner("viewer", false);

    private final Registry registry = new Registry();
    private final Streams streams = new Streams(registry, () -> registry.now);
    private int number;

    /** As OpenDaylight's: a stream ends with its last reader. */
    private static final class Registry implements Streams.Registered {
        private final Map<String, Integer> readers = new HashMap<>();
        private long now;

        @Override
        public boolean exists(String name) {
            return readers.containsKey(name);
        }

        @Override
        public void endUnread(String name) {
            readers.remove(name, 0);
        }

        private boolean isRead(String name) {
            return readers.getOrDefault(name, 0) > 0;
        }
    }

    static LongStream seeds() {
        return Seeds.seeds().flatMap(seed -> LongStream.range(seed * 10, (seed + 1) * 10));
    }

    private static Streams.Asked asked(Shares.Owner owner, String what) {
        return new Streams.Asked(owner, what);
    }

    private Streams.Outcome another(Shares.Owner owner) {
        return streams.ask(asked(owner, "another " + ++number));
    }

    private Streams.Answer made(Streams.Outcome outcome) {
        String name = "stream " + ++number;
        registry.readers.put(name, 0);
        Streams.Answer answer = new Streams.Answer(name, "application/json", new byte[0]);
        ((Streams.Outcome.Allowed) outcome).making().answered(Optional.of(answer));
        return answer;
    }

    private int fill(Shares.Owner owner) {
        int count = 0;
        for (Streams.Outcome each = another(owner); each instanceof Streams.Outcome.Allowed; each = another(owner)) {
            made(each);
            count++;
        }
        return count;
    }

    private void pass(long nanos) {
        registry.now += nanos;
        streams.endUnread();
    }

    @Test
    void aUserHasAShareAndWhoMayChangeSomethingAReserve() {
        assertThat(fill(VIEWER)).isEqualTo(Streams.OF_USER);
        assertThat(fill(new Shares.Owner("second", false))).isEqualTo(Streams.OF_READERS - Streams.OF_USER);
        assertThat(((Streams.Outcome.Refused) another(new Shares.Owner("third", false))).why())
            .contains("too many streams of events: user third has 0 of 64, all together 128 of 256",
                "of which those who may change nothing have 128 at most: read those that were made");
        assertThat(fill(OPERATOR)).isEqualTo(Streams.OF_USER);
    }

    @Test
    void whatNobodyReadsEndsAfterAMinute() {
        fill(VIEWER);
        pass(Streams.UNREAD.toNanos() - 1);
        assertThat(another(VIEWER)).isInstanceOf(Streams.Outcome.Refused.class);
        pass(1);
        assertThat(registry.readers).isEmpty();
        assertThat(fill(VIEWER)).isEqualTo(Streams.OF_USER);
    }

    @Test
    void whatIsReadStaysAndCountsUntilOpenDaylightEndsIt() {
        Streams.Answer read = made(another(VIEWER));
        registry.readers.put(read.name(), 1);
        pass(3 * Streams.UNREAD.toNanos());
        assertThat(registry.exists(read.name())).isTrue();
        assertThat(fill(VIEWER)).isEqualTo(Streams.OF_USER - 1);
        registry.readers.remove(read.name());
        assertThat(fill(VIEWER)).isEqualTo(1);
    }

    /** A client whose answer was lost, or that begins again and again, gets one stream. */
    @Test
    void theSameRequestGetsTheSameStreamUntilSomebodyReadsIt() {
        Streams.Asked asked = asked(VIEWER, "same");
        final Streams.Answer first = made(streams.ask(asked));
        pass(Streams.UNREAD.toNanos() - 1);
        assertThat(streams.ask(asked)).isEqualTo(new Streams.Outcome.Same(first));
        pass(Streams.UNREAD.toNanos() - 1);
        assertThat(registry.exists(first.name())).as("who asked again has a minute, too").isTrue();
        assertThat(streams.ask(asked(OPERATOR, "same"))).as("of another user")
            .isInstanceOf(Streams.Outcome.Allowed.class);
        assertThat(streams.begin(VIEWER, first.name())).isEmpty();
        assertThat(streams.ask(asked)).isInstanceOf(Streams.Outcome.Allowed.class);
    }

    @Test
    void aRequestThatMakesNothingGivesItsPlaceBack() {
        for (int count = 0; count < 3 * Streams.ALL; count++) {
            ((Streams.Outcome.Allowed) another(VIEWER)).making().answered(Optional.empty());
        }
        assertThat(fill(VIEWER)).isEqualTo(Streams.OF_USER);
    }

    @Test
    void connectionsHaveShares() {
        for (int count = 0; count < Streams.OF_USER; count++) {
            assertThat(streams.begin(VIEWER, "x")).isEmpty();
        }
        assertThat(streams.begin(VIEWER, "x").orElseThrow())
            .contains("too many connections that read events: user viewer has 64 of 64", ": close some");
        assertThat(streams.begin(OPERATOR, "x")).isEmpty();
        streams.end(VIEWER);
        assertThat(streams.begin(VIEWER, "x")).isEmpty();
    }

    /** Users make, repeat, read and leave in any order, OpenDaylight's registry beside it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void allIsCountedAndGivenBack(long seed) {
        Random random = new Random(seed);
        List<Shares.Owner> users = List.of(OPERATOR, VIEWER, new Shares.Owner("expert", true),
            new Shares.Owner("guest", false), new Shares.Owner("screen", false), new Shares.Owner("script", true));
        Map<String, Shares.Owner> owners = new HashMap<>();
        Map<String, Long> asked = new HashMap<>();
        List<Streams.Outcome.Allowed> pending = new ArrayList<>();
        List<Shares.Owner> pendingOwners = new ArrayList<>();
        Set<String> everRead = new HashSet<>();
        for (int step = 0; step < 4000; step++) {
            Shares.Owner user = users.get(random.nextInt(users.size()));
            List<String> there = registry.readers.keySet().stream().sorted().toList();
            String some = there.isEmpty() ? "none" : there.get(random.nextInt(there.size()));
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4, 5 -> {
                    Predicate<Shares.Owner> counts = owner -> owner.equals(user);
                    long own = count(owners, pendingOwners, counts);
                    long all = count(owners, pendingOwners, owner -> true);
                    long readers = count(owners, pendingOwners, owner -> !owner.mayChange());
                    switch (streams.ask(asked(user, "what " + random.nextInt(2000)))) {
                        case Streams.Outcome.Same same -> {
                            assertThat(owners.get(same.answer().name())).isEqualTo(user);
                            assertThat(registry.exists(same.answer().name())).isTrue();
                            assertThat(everRead).doesNotContain(same.answer().name());
                            asked.put(same.answer().name(), registry.now);
                        }
                        case Streams.Outcome.Allowed allowed -> {
                            assertThat(own).isLessThan(Streams.OF_USER);
                            assertThat(all).isLessThan(Streams.ALL);
                            pending.add(allowed);
                            pendingOwners.add(user);
                        }
                        case Streams.Outcome.Refused refused -> assertThat(own == Streams.OF_USER || all == Streams.ALL
                            || !user.mayChange() && readers == Streams.OF_READERS).as(refused.why()).isTrue();
                    }
                }
                case 6, 7, 8 -> {
                    if (!pending.isEmpty()) {
                        Streams.Outcome.Allowed first = pending.removeFirst();
                        Shares.Owner owner = pendingOwners.removeFirst();
                        if (random.nextInt(10) == 0) {
                            first.making().answered(Optional.empty());
                        } else {
                            String name = made(first).name();
                            owners.put(name, owner);
                            asked.put(name, registry.now);
                        }
                    }
                }
                case 9 -> {
                    if (registry.exists(some) && streams.begin(user, some).isEmpty()) {
                        registry.readers.merge(some, 1, Integer::sum);
                        everRead.add(some);
                        streams.end(user);
                    }
                }
                case 10 -> registry.readers.computeIfPresent(some, (name, count) -> count == 0 ? count
                    : count == 1 ? null : Integer.valueOf(count - 1));
                default -> {
                    pass(random.nextInt(20) == 0 ? Streams.UNREAD.toNanos() / 2 : 1_000_000);
                    for (String name : registry.readers.keySet()) {
                        assertThat(registry.isRead(name) || registry.now - asked.get(name) < Streams.UNREAD.toNanos())
                            .as(name).isTrue();
                    }
                }
            }
        }
        pending.forEach(each -> each.making().answered(Optional.empty()));
        registry.readers.clear();
        assertThat(fill(VIEWER)).isEqualTo(Streams.OF_USER);
        assertThat(fill(OPERATOR)).isEqualTo(Streams.OF_USER);
    }

    private long count(Map<String, Shares.Owner> owners, List<Shares.Owner> pending, Predicate<Shares.Owner> which) {
        return owners.entrySet().stream().filter(each -> registry.exists(each.getKey()) && which.test(each.getValue()))
            .count() + pending.stream().filter(which).count();
    }
}
