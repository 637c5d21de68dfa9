package org.daqfabric.impl.ovsdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** Bytes that one peer makes the controller hold, as part of a budget for all. Thread-safe. */
final class HeldBytes {
    private final MemoryBudget memory;
    @GuardedBy("this")
    private long held;
    @GuardedBy("this")
    private boolean released;

    HeldBytes(MemoryBudget memory) {
        this.memory = memory;
    }

    synchronized long now() {
        return held;
    }

    void add(long bytes) {
        synchronized (this) {
            if (released || bytes == 0) {
                return;
            }
            held += bytes;
        }
        memory.add(bytes);
    }

    /** Takes what it holds off the budget, once it is closed. */
    void release() {
        long rest;
        synchronized (this) {
            rest = held;
            held = 0;
            released = true;
        }
        memory.add(-rest);
    }
}
