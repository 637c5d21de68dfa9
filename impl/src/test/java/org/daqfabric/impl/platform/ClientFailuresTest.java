package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.controller.cluster.access.client.AbstractClientActor;

class ClientFailuresTest {
    private final ActorSystem system = ActorSystem.create("test");
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        system.terminate();
    }

    /** Throws whatever it is told. */
    private static final class Failing extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder().match(RuntimeException.class, failure -> {
                throw failure;
            }).build();
        }
    }

    /** The failure of a client is told, and that of other actors is not. */
    @Test
    void failureOfAClientIsTold() {
        RuntimeException ofClient = new IllegalStateException("has already been sealed");
        ofClient.setStackTrace(new StackTraceElement[] {
            new StackTraceElement(AbstractClientActor.class.getName(), "onReceiveCommand", "", 86)});
        ActorRef actor = system.actorOf(Props.create(Failing.class, Failing::new));
        ClientFailures.watch(system, failures::add);
        actor.tell(new IllegalStateException("of another actor"), ActorRef.noSender());
        actor.tell(ofClient, ActorRef.noSender());
        await().until(() -> !failures.isEmpty());
        assertThat(failures).containsExactly(ofClient);
    }

    /** OpenDaylight has the class by whose name a client is known. */
    @Test
    void clientIsKnownByItsClass() {
        assertThat(ClientFailures.CLIENT).isEqualTo(AbstractClientActor.class.getName());
    }
}
