package org.daqfabric.impl.platform;

import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.event.Logging;

/**
 * Tells when a member's own client of a datastore has failed. When a shard gets another leader, each member's client
 * sends it what the one before has not answered, and OpenDaylight's (controller 11.0.2) may fail at that: "Transaction
 * ... has already been sealed". Pekko starts the client again, but the datastore keeps what belonged to the failed one:
 * from then on no write of this member is answered.
 */
final class ClientFailures extends AbstractActor {
    /** In the stack of whatever a client throws. */
    static final String CLIENT = "org.opendaylight.controller.cluster.access.client.AbstractClientActor";

    private final Consumer<Throwable> failed;

    private ClientFailures(Consumer<Throwable> failed) {
        this.failed = failed;
    }

    /**
     * Watches the clients of an actor system until the returned actor is stopped.
     *
     * @param failed is given what a client has thrown
     */
    static ActorRef watch(ActorSystem system, Consumer<Throwable> failed) {
        ActorRef watch = system.actorOf(Props.create(ClientFailures.class, () -> new ClientFailures(failed)));
        system.eventStream().subscribe(watch, Logging.Error.class);
        return watch;
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder().match(Logging.Error.class, error -> isOfClient(error.cause()),
            error -> failed.accept(error.cause())).matchAny(other -> { }).build();
    }

    private static boolean isOfClient(Throwable cause) {
        return Arrays.stream(cause.getStackTrace()).anyMatch(frame -> frame.getClassName().equals(CLIENT));
    }
}
