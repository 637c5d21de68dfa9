package org.daqfabric.impl.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Everything between the controller and the switches, and its store, that has been sent and not been delivered.
 * Deliveries of one channel keep their order; which channel is next is random.
 */
final class DeliveryQueue {
    private final List<Delivery> pending = new ArrayList<>();
    private final Random random;
    private boolean ovsdbLast;

    enum Protocol {
        OVSDB, OPENFLOW, STORE
    }

    /**
     * A connection of the controller.
     *
     * @param peer OpenFlow: name of a switch; OVSDB: system-id of a node; empty for the store
     */
    record Channel(Protocol protocol, String peer) {
    }

    /**
     * Something to deliver.
     *
     * @param answer completed by the effect; null if nobody waits for one
     */
    private record Delivery(Channel channel, Runnable effect, CompletableFuture<?> answer) {
    }

    DeliveryQueue(Random random) {
        this.random = random;
    }

    void send(Channel channel, Runnable effect) {
        send(channel, effect, null);
    }

    void send(Channel channel, Runnable effect, CompletableFuture<?> answer) {
        pending.add(new Delivery(channel, effect, answer));
    }

    /**
     * The connection is lost with all that is undelivered; the controller learns that, and that no answer will come.
     */
    void lose(Channel channel, Runnable event) {
        List<Runnable> notices = new ArrayList<>(List.of(event));
        for (Delivery delivery : pending) {
            if (delivery.channel().equals(channel) && delivery.answer() != null) {
                notices.add(() ->
                    delivery.answer().completeExceptionally(new IllegalStateException("connection lost")));
            }
        }
        pending.removeIf(delivery -> delivery.channel().equals(channel));
        Collections.shuffle(notices, random);
        notices.forEach(each -> send(channel, each));
    }

    void clear() {
        pending.clear();
    }

    /** From now on OVSDB is slower than everything over OpenFlow. */
    void deliverOvsdbLast() {
        ovsdbLast = true;
    }

    /**
     * Delivers the next of a random channel.
     *
     * @param frozen connections over which nothing is exchanged
     * @return false if there is nothing to deliver
     */
    boolean deliverOne(Predicate<Channel> frozen) {
        List<Delivery> possible = pending.stream()
            .filter(delivery -> !frozen.test(delivery.channel())).toList();
        if (possible.isEmpty()) {
            return false;
        }
        if (ovsdbLast && possible.stream().anyMatch(DeliveryQueue::isOpenFlow)) {
            possible = possible.stream().filter(DeliveryQueue::isOpenFlow).toList();
        }
        Channel channel = possible.get(random.nextInt(possible.size())).channel();
        for (Delivery delivery : pending) {
            if (delivery.channel().equals(channel)) {
                pending.remove(delivery);
                delivery.effect().run();
                return true;
            }
        }
        throw new IllegalStateException();
    }

    private static boolean isOpenFlow(Delivery delivery) {
        return delivery.channel().protocol() == Protocol.OPENFLOW;
    }
}
