package org.daqfabric.it;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import org.daqfabric.it.sim.SimFabric;

/** Random faults of simulated switches and their links, a few at a time. */
final class SoakFaults {
    private static final int MAX_FAULTS = 4;
    private static final int PAUSE_MILLIS = 600;

    /** The actions that end the present faults, oldest first. */
    private final ArrayDeque<Runnable> remedies = new ArrayDeque<>();
    private final SimFabric switches;
    private final Random random;
    private final List<String> names;
    private final List<String> links;
    private int count;

    SoakFaults(final SimulatedFabric fabric, final Random random) {
        switches = fabric.switches();
        this.random = random;
        names = List.copyOf(switches.switches());
        links = FabricFile.entries(fabric.file().fabric(), "link").stream()
            .map(link -> link.get("switch").getAsString() + ":" + link.get("port").getAsString()).toList();
    }

    int count() {
        return count;
    }

    /** Any link, by the end that it is configured with. */
    String link() {
        return links.get(random.nextInt(links.size()));
    }

    /** Causes and ends faults at random intervals until that time. */
    void until(final long end) throws InterruptedException {
        while (System.nanoTime() - end < 0) {
            if (remedies.size() == MAX_FAULTS || random.nextInt(3) == 0 && !remedies.isEmpty()) {
                remedies.poll().run();
            } else {
                next();
                count++;
            }
            // no wait for a condition: faults occur at random times
            Thread.sleep(random.nextInt(PAUSE_MILLIS));
        }
    }

    /** Ends all faults. */
    void endAll() {
        while (!remedies.isEmpty()) {
            remedies.poll().run();
        }
    }

    private void next() {
        final var some = List.of(names.get(random.nextInt(names.size())));
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> {
                final var link = List.of(link());
                switches.cut(link);
                remedies.add(() -> switches.restore(link));
            }
            case 4, 5 -> {
                switches.off(some, random.nextBoolean());
                remedies.add(() -> switches.on(some));
            }
            case 6 -> {
                // returns empty, with a table that is full for a while
                switches.off(some, true);
                remedies.add(() -> {
                    switches.refuse(some.get(0), 1 + random.nextInt(3));
                    switches.on(some);
                });
            }
            case 7 -> {
                switches.holdBarriers(some.get(0), true);
                remedies.add(() -> switches.holdBarriers(some.get(0), false));
            }
            case 8 -> switches.drop(some);
            default -> {
                if (random.nextInt(5) == 0) {
                    switches.drop(names);
                } else {
                    final var flapping = List.of(link());
                    for (int each = 0; each < 5; each++) {
                        switches.cut(flapping);
                        switches.restore(flapping);
                    }
                }
            }
        }
    }
}
