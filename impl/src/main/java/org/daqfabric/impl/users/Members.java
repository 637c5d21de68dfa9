package org.daqfabric.impl.users;

import java.util.function.BiConsumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.InvalidActorNameException;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;

/** Sends texts to the other members of the cluster, and receives theirs. */
final class Members {
    private static final String NAME = "daqfabric-users";

    private final ActorSystem system;
    private final ActorRef own;

    private static final class Ear extends AbstractActor {
        private final BiConsumer<String, ActorRef> received;

        Ear(BiConsumer<String, ActorRef> received) {
            this.received = received;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().match(String.class, text -> received.accept(text, getSender())).build();
        }
    }

    /**
     * Receives from now on.
     *
     * @param received is given each text and its sender, by a thread that must not wait
     * @throws InvalidActorNameException if an earlier one of this controller is still being closed
     */
    Members(ActorSystem system, BiConsumer<String, ActorRef> received) {
        this.system = system;
        own = system.actorOf(Props.create(Ear.class, () -> new Ear(received)), NAME);
    }

    /** To all others that are members now; who cannot be reached does not get it. */
    void tellAll(String text) {
        Cluster cluster = Cluster.get(system);
        for (Member each : cluster.state().getMembers()) {
            if (!each.address().equals(cluster.selfAddress())) {
                system.actorSelection(each.address() + "/user/" + NAME).tell(text, own);
            }
        }
    }

    void tell(ActorRef member, String text) {
        member.tell(text, own);
    }

    void close() {
        system.stop(own);
    }
}
