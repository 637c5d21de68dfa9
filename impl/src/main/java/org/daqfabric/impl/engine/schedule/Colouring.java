package org.daqfabric.impl.engine.schedule;

import java.util.Arrays;

/**
 * Gives every transfer a phase. Transfers take the first phase in which source, target and links are free, first those
 * on links that have hardly more phases than they need. One that finds none exchanges two phases along a path of other
 * transfers, as in the proof of König's theorem, if the links allow the exchange; if that does not help either, there
 * is one phase more.
 */
final class Colouring {
    private static final int NONE = -1;
    /** From which part of the bound on, and how far above the mean, a link is busy: found by trying cut fabrics. */
    private static final double BUSY = 0.8;
    private static final double UNEVEN = 1.2;
    /** Exchanges that are tried before there is one phase more, and transfers that one may move. */
    private static final int TRIES = 32;
    private static final int PER_PHASE = 4;
    private static final int LONGEST = 256;

    private final Transfers all;
    private int phases;
    /** [node][phase], the transfer that it sends or receives. */
    private final int[][] sent;
    private final int[][] received;
    /** [link][phase], how many transfers it carries. */
    private final int[][] carried;
    /** The same as bits: phases in which it is free. */
    private final long[][] senderFree;
    private final long[][] receiverFree;
    private final long[][] linkFree;
    private final int[] phaseOf;

    private final int[] moved = new int[LONGEST];
    private final int[] change;

    private Colouring(Transfers all, int phases) {
        this.all = all;
        this.phases = phases;
        int room = Math.ceilDiv(phases + 1, Long.SIZE) * Long.SIZE;
        sent = filled(all.nodes, room);
        received = filled(all.nodes, room);
        carried = new int[all.slots.length][room];
        senderFree = free(all.nodes, room);
        receiverFree = free(all.nodes, room);
        linkFree = free(all.slots.length, room);
        phaseOf = new int[all.count()];
        Arrays.fill(phaseOf, NONE);
        change = new int[all.slots.length];
    }

    private static int[][] filled(int rows, int room) {
        int[][] filled = new int[rows][room];
        for (int[] row : filled) {
            Arrays.fill(row, NONE);
        }
        return filled;
    }

    private static long[][] free(int rows, int room) {
        long[][] free = new long[rows][room / Long.SIZE];
        for (long[] row : free) {
            Arrays.fill(row, -1L);
        }
        return free;
    }

    /**
     * The phase of each transfer, from 0.
     *
     * @param bound number of phases to begin with
     */
    static int[] of(Transfers all, int bound) {
        return new Colouring(all, Math.max(1, bound)).run();
    }

    private int[] run() {
        int[] open = new int[phaseOf.length];
        int count = 0;
        boolean[] busy = all.busy(phases * BUSY, UNEVEN);
        for (boolean now : new boolean[] {true, false}) {
            for (int transfer = 0; transfer < phaseOf.length; transfer++) {
                if (busy[transfer] == now && !place(transfer)) {
                    open[count++] = transfer;
                }
            }
        }
        while (count > 0) {
            addPhase();
            int left = 0;
            for (int at = 0; at < count; at++) {
                if (!place(open[at])) {
                    open[left++] = open[at];
                }
            }
            count = left;
        }
        return phaseOf;
    }

    private void addPhase() {
        phases++;
        if (phases > senderFree[0].length * Long.SIZE) {
            int words = senderFree[0].length + 1;
            for (int[][] rows : new int[][][] {sent, received, carried}) {
                for (int row = 0; row < rows.length; row++) {
                    int used = rows[row].length;
                    rows[row] = Arrays.copyOf(rows[row], words * Long.SIZE);
                    Arrays.fill(rows[row], used, words * Long.SIZE, rows == carried ? 0 : NONE);
                }
            }
            for (long[][] rows : new long[][][] {senderFree, receiverFree, linkFree}) {
                for (int row = 0; row < rows.length; row++) {
                    rows[row] = Arrays.copyOf(rows[row], words);
                    rows[row][words - 1] = -1L;
                }
            }
        }
    }

    private boolean place(int transfer) {
        int phase = firstFree(transfer);
        if (phase >= 0) {
            put(transfer, phase, 1);
            return true;
        }
        return exchange(transfer, true) || exchange(transfer, false);
    }

    private int firstFree(int transfer) {
        long[] sender = senderFree[all.source[transfer]];
        long[] receiver = receiverFree[all.target[transfer]];
        int up = all.up[transfer];
        int down = all.down[transfer];
        for (int word = 0; word < sender.length; word++) {
            long free = sender[word] & receiver[word];
            if (up >= 0) {
                free &= linkFree[up][word] & linkFree[down][word];
            }
            if (free != 0) {
                int phase = word * Long.SIZE + Long.numberOfTrailingZeros(free);
                return phase < phases ? phase : NONE;
            }
        }
        return NONE;
    }

    /** Puts a transfer into a phase, or takes it out. */
    private void put(int transfer, int phase, int sign) {
        int word = phase / Long.SIZE;
        long bit = 1L << phase % Long.SIZE;
        int source = all.source[transfer];
        int target = all.target[transfer];
        if (sign > 0) {
            sent[source][phase] = transfer;
            received[target][phase] = transfer;
            senderFree[source][word] &= ~bit;
            receiverFree[target][word] &= ~bit;
            phaseOf[transfer] = phase;
        } else {
            sent[source][phase] = NONE;
            received[target][phase] = NONE;
            senderFree[source][word] |= bit;
            receiverFree[target][word] |= bit;
        }
        if (all.up[transfer] >= 0) {
            carry(all.up[transfer], phase, sign);
            carry(all.down[transfer], phase, sign);
        }
    }

    private void carry(int link, int phase, int sign) {
        carried[link][phase] += sign;
        long bit = 1L << phase % Long.SIZE;
        if (carried[link][phase] < all.slots[link]) {
            linkFree[link][phase / Long.SIZE] |= bit;
        } else {
            linkFree[link][phase / Long.SIZE] &= ~bit;
        }
    }

    /**
     * Places a transfer in a phase in which one of its ends is free and the other is not, after that has exchanged the
     * phase for one in which it is free.
     *
     * @param bySource whether it is the source that is free
     */
    private boolean exchange(int transfer, boolean bySource) {
        long[] free = bySource ? senderFree[all.source[transfer]] : receiverFree[all.target[transfer]];
        long[] others = bySource ? receiverFree[all.target[transfer]] : senderFree[all.source[transfer]];
        int tries = TRIES;
        for (int wanted = nextOpen(transfer, free, 0); wanted >= 0; wanted = nextOpen(transfer, free, wanted + 1)) {
            int given = next(others, wanted + 1);
            given = given < 0 ? next(others, 0) : given;
            for (int each = 0; each < PER_PHASE && given >= 0; each++) {
                if (tries-- == 0) {
                    return false;
                }
                int count = path(transfer, wanted, given, bySource);
                if (count > 0 && allowed(transfer, count, wanted, given)) {
                    move(count, wanted, given);
                    put(transfer, wanted, 1);
                    return true;
                }
                given = next(others, given + 1);
            }
        }
        return false;
    }

    /** The next phase that is free and in which the links of a transfer are. */
    private int nextOpen(int transfer, long[] free, int from) {
        int up = all.up[transfer];
        int phase = next(free, from);
        while (up >= 0 && phase >= 0 && !(isFree(linkFree[up], phase) && isFree(linkFree[all.down[transfer]], phase))) {
            phase = next(free, phase + 1);
        }
        return phase;
    }

    private static boolean isFree(long[] bits, int phase) {
        return (bits[phase / Long.SIZE] & 1L << phase % Long.SIZE) != 0;
    }

    private int next(long[] bits, int from) {
        for (int word = from / Long.SIZE; word < bits.length; word++) {
            long left = word == from / Long.SIZE ? bits[word] & -1L << from % Long.SIZE : bits[word];
            if (left != 0) {
                int at = word * Long.SIZE + Long.numberOfTrailingZeros(left);
                return at < phases ? at : NONE;
            }
        }
        return NONE;
    }

    /** Collects the transfers of two phases, one after the other, from the end that is not free; 0 if too many. */
    private int path(int transfer, int wanted, int given, boolean bySource) {
        boolean atTarget = bySource;
        int node = atTarget ? all.target[transfer] : all.source[transfer];
        int phase = wanted;
        for (int count = 0; count < LONGEST; count++) {
            int found = atTarget ? received[node][phase] : sent[node][phase];
            if (found < 0) {
                return count;
            }
            moved[count] = found;
            node = atTarget ? all.source[found] : all.target[found];
            atTarget = !atTarget;
            phase = phase == wanted ? given : wanted;
        }
        return 0;
    }

    /** Whether no link carries too much after the exchange, with the new transfer. */
    private boolean allowed(int transfer, int count, int wanted, int given) {
        for (int at = 0; at < count; at++) {
            change(moved[at], at % 2 == 0 ? -1 : 1);
        }
        boolean allowed = fits(transfer, transfer, wanted, given);
        for (int at = 0; at < count && allowed; at++) {
            allowed = fits(moved[at], transfer, wanted, given);
        }
        for (int at = 0; at < count; at++) {
            change(moved[at], at % 2 == 0 ? 1 : -1);
        }
        return allowed;
    }

    /** Counts what changes on the links of a transfer in the wanted phase; in the given one it is the opposite. */
    private void change(int transfer, int sign) {
        if (all.up[transfer] >= 0) {
            change[all.up[transfer]] += sign;
            change[all.down[transfer]] += sign;
        }
    }

    private boolean fits(int transfer, int added, int wanted, int given) {
        int up = all.up[transfer];
        int down = all.down[transfer];
        return up < 0 || holds(up, up == all.up[added] ? 1 : 0, wanted, given)
            && holds(down, down == all.down[added] ? 1 : 0, wanted, given);
    }

    private boolean holds(int link, int added, int wanted, int given) {
        return carried[link][wanted] + change[link] + added <= all.slots[link]
            && carried[link][given] - change[link] <= all.slots[link];
    }

    private void move(int count, int wanted, int given) {
        for (int at = 0; at < count; at++) {
            put(moved[at], at % 2 == 0 ? wanted : given, -1);
        }
        for (int at = 0; at < count; at++) {
            put(moved[at], at % 2 == 0 ? given : wanted, 1);
        }
    }
}
