package org.daqfabric.impl.openflow;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A connection whose switch has said which one it is and what ports it has. */
interface SwitchWay {
    /** The peer's IP address. */
    String address();

    SwitchSession session();

    /** The thread that reads what the switch sends. */
    Executor reader();

    /** Its ports by number, as the switch answered. */
    Map<Integer, PortReport> ports();

    /** The serial number that the switch says it has. */
    String serial();

    /** Asks the switch for its serial number again; never fails, and answers "" after a second without an answer. */
    CompletableFuture<String> askSerial();

    /** Whether the switch answers an echo within a second; never fails. */
    CompletableFuture<Boolean> isAlive();

    /** Ends the connection; the switch may make a new one. */
    void end(String why);

    /** Ends it as {@link #end} does, and leaves it to the caller to log why. */
    void turnAway(String why);
}
