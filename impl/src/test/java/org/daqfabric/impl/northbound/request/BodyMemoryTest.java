package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.northbound.request.Shares.Owner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may change nothing keeps nobody out who may. */
class BodyMemoryTest {
    private static final int SMALL = 10;
    private static final int ALL = 200;
    private static final Owner OPERATOR = new Owner("operator", true);

    private final BodyMemory memory = new BodyMemory(ALL, SMALL);

    static LongStream seeds() {
        return Seeds.seeds().flatMap(seed -> LongStream.range(seed * 10, (seed + 1) * 10));
    }

    @Test
    void aSmallBodyAlwaysHasRoom() {
        for (int user = 0; user < 3; user++) {
            memory.share(new Owner("big" + user, true)).take(SMALL + ALL / 2);
        }
        assertThat(memory.taken()).isEqualTo(ALL);
        for (int request = 0; request < 50; request++) {
            BodyMemory.Share share = memory.share(OPERATOR);
            assertThat(share.take(SMALL)).isTrue();
            assertThat(share.take(1)).isFalse();
            assertThat(share.length()).isEqualTo(SMALL);
        }
        assertThat(memory.taken()).isEqualTo(ALL);
    }

    @Test
    void whoMayChangeNothingHasHalf() {
        assertThat(memory.share(new Owner("viewer", false)).take(SMALL + 60)).isTrue();
        BodyMemory.Share second = memory.share(new Owner("scraper", false));
        assertThat(second.take(SMALL + 41)).isFalse();
        assertThat(second.take(SMALL + 40)).isTrue();
        BodyMemory.Share operators = memory.share(OPERATOR);
        assertThat(operators.take(SMALL + ALL / 2 + 1)).isFalse();
        assertThat(operators.take(SMALL + ALL / 2)).isTrue();
        second.release();
        assertThat(memory.share(new Owner("another", false)).take(SMALL + 40)).isTrue();
    }

    /** Whatever is read and given back in whatever order, all of it is free again at the end. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void allIsGivenBack(long seed) {
        Random random = new Random(seed);
        List<BodyMemory.Share> shares = new ArrayList<>();
        for (int step = 0; step < 500; step++) {
            if (shares.isEmpty() || random.nextInt(3) == 0) {
                shares.add(memory.share(new Owner("user" + random.nextInt(4), random.nextBoolean())));
            }
            BodyMemory.Share share = shares.get(random.nextInt(shares.size()));
            int before = share.length();
            int more = random.nextInt(40);
            int after = share.take(more) ? before + more : before;
            assertThat(share.length()).isEqualTo(after);
            if (random.nextInt(4) == 0) {
                share.release();
            }
            assertThat(memory.taken()).isBetween(0, ALL);
        }
        shares.forEach(BodyMemory.Share::release);
        assertThat(memory.taken()).isZero();
    }
}
