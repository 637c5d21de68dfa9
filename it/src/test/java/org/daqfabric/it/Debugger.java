package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayType;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.InvocationException;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Lets happen in a controller what should not: a thread of it stands still, something throws an exception, its heap
 * is full. It does so from outside, as a debugger; nothing in the controller is made for it.
 */
final class Debugger implements AutoCloseable {
    private static final String OPTION =
        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";
    private static final Pattern PORT =
        Pattern.compile("Listening for transport dt_socket at address: (?:\\S+:)?(\\d+)");
    private static final int TIMEOUT = 20; // seconds

    private final VirtualMachine machine;

    /** Connects to a controller that was {@link #allow allowed} to be debugged when it was started. */
    Debugger(final Distribution controller) {
        final var connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.transport().name().equals("dt_socket")).findFirst().orElseThrow();
        final var arguments = connector.defaultArguments();
        try {
            final var found = PORT.matcher(Files.readString(controller.home().resolve("console.log")));
            assertThat(found.find()).as("a port for the debugger in the output of the controller").isTrue();
            arguments.get("hostname").setValue("127.0.0.1");
            arguments.get("port").setValue(found.group(1));
            machine = connector.attach(arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalConnectorArgumentsException e) {
            throw new IllegalStateException(e);
        }
        Thread.ofPlatform().daemon().name("debugger").start(this::takeEvents);
    }

    /** Lets a controller be debugged. Before {@link Distribution#start()}. */
    static void allow(final Distribution controller) {
        controller.option(OPTION);
    }

    /** A thread that stands still until this is closed. */
    final class Held implements AutoCloseable {
        private final ThreadReference thread;

        private Held(final ThreadReference thread) {
            this.thread = thread;
        }

        /** Lets the thread throw an exception where it stands. */
        void fail(final String message) {
            try {
                thread.stop(exception(message));
            } catch (InvalidTypeException e) {
                throw new IllegalStateException(e);
            }
        }

        private ObjectReference exception(final String message) throws InvalidTypeException {
            final var type = (ClassType) machine.classesByName(IllegalStateException.class.getName()).get(0);
            try {
                final var exception = type.newInstance(thread,
                    type.concreteMethodByName("<init>", "(Ljava/lang/String;)V"),
                    List.of(machine.mirrorOf(message)), ObjectReference.INVOKE_SINGLE_THREADED);
                exception.disableCollection();
                return exception;
            } catch (ClassNotLoadedException | IncompatibleThreadStateException | InvocationException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            thread.resume();
        }
    }

    /** Holds the next thread that comes to a method. */
    Held hold(final String type, final String method) {
        return hold(type, method, () -> { });
    }

    /**
     * Holds the next thread that comes to a method.
     *
     * @param cause makes a thread come there, and does not wait for it
     */
    Held hold(final String type, final String method, final Runnable cause) {
        return hold(begin(type, method), thread -> true, cause);
    }

    /** Holds the next thread that comes to a method of an object whose other method returns a certain text. */
    Held hold(final String type, final String method, final String other, final String text) {
        return hold(begin(type, method), thread -> text.equals(textOf(thread, other)), () -> { });
    }

    /**
     * Holds the next thread that comes to a line of an object whose method returns a certain text.
     *
     * @param cause makes a thread come there, and does not wait for it
     */
    Held holdAtLine(final String type, final int line, final String method, final String text, final Runnable cause) {
        try {
            final var at = loaded(type).locationsOfLine(line).get(0);
            return hold(at, thread -> text.equals(textOf(thread, method)), cause);
        } catch (AbsentInformationException e) {
            throw new IllegalStateException(e);
        }
    }

    private ReferenceType loaded(final String type) {
        return machine.classesByName(type).get(0);
    }

    private Location begin(final String type, final String method) {
        return loaded(type).methodsByName(method).get(0).location();
    }

    private Held hold(final Location at, final Predicate<ThreadReference> wanted, final Runnable cause) {
        final var request = machine.eventRequestManager().createBreakpointRequest(at);
        final var held = new CompletableFuture<ThreadReference>();
        final Predicate<ThreadReference> keeps = thread -> wanted.test(thread) && held.complete(thread);
        request.putProperty("keeps", keeps);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        try {
            cause.run();
            return new Held(held.get(TIMEOUT, TimeUnit.SECONDS));
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new AssertionError("no thread came to " + at + " in " + TIMEOUT + " s", e);
        } finally {
            machine.eventRequestManager().deleteEventRequest(request);
        }
    }

    /** Holds the thread of a name where it waits for something to do, so that it has no lock of daqfabric. */
    Held holdIdle(final String name) {
        final var thread = machine.allThreads().stream().filter(each -> each.name().equals(name)).findFirst()
            .orElseThrow();
        await(name + " has nothing to do").atMost(Duration.ofSeconds(TIMEOUT)).pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1)).until(() -> {
                thread.suspend();
                final boolean isIdle = isIdle(thread);
                if (!isIdle) {
                    thread.resume();
                }
                return isIdle;
            });
        return new Held(thread);
    }

    private static boolean isIdle(final ThreadReference thread) {
        try {
            return thread.frames().stream().noneMatch(frame ->
                frame.location().declaringType().name().startsWith("org.daqfabric."));
        } catch (IncompatibleThreadStateException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String textOf(final ThreadReference thread, final String method) {
        try {
            final var object = thread.frame(0).thisObject();
            return ((StringReference) object.invokeMethod(thread, object.referenceType().methodsByName(method).get(0),
                List.of(), ObjectReference.INVOKE_SINGLE_THREADED)).value();
        } catch (IncompatibleThreadStateException | InvalidTypeException | ClassNotLoadedException
            | InvocationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets threads go on that came to a place where another one is held already, or that are not the wanted one. */
    private void takeEvents() {
        try {
            while (true) {
                final var events = machine.eventQueue().remove();
                if (events.stream().noneMatch(Debugger::keeps)) {
                    events.resume();
                }
            }
        } catch (InterruptedException | VMDisconnectedException e) {
            // it is over
        }
    }

    @SuppressWarnings("unchecked") // what was put there
    private static boolean keeps(final Event event) {
        return event instanceof BreakpointEvent stop
            && ((Predicate<ThreadReference>) stop.request().getProperty("keeps")).test(stop.thread());
    }

    /** What a debugger has changed, until this is closed. */
    interface Changed extends AutoCloseable {
        @Override
        void close();
    }

    /** Sets a field of all objects of a type that is false, until what is returned is closed. */
    Changed set(final String type, final String field) {
        set(type, field, true);
        return () -> set(type, field, false);
    }

    private void set(final String type, final String field, final boolean value) {
        try {
            for (final var each : loaded(type).instances(0)) {
                each.setValue(each.referenceType().fieldByName(field), machine.mirrorOf(value));
            }
        } catch (InvalidTypeException | ClassNotLoadedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An array in the controller's heap, which stays until its collection is enabled. */
    ObjectReference fill(final int bytes) {
        final var type = (ArrayType) machine.classesByName("byte[]").get(0);
        // or it might be collected before that is forbidden
        machine.suspend();
        try {
            final var array = type.newInstance(bytes);
            array.disableCollection();
            return array;
        } finally {
            machine.resume();
        }
    }

    /** Lets everything go on that stands. */
    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException e) {
            // the controller has ended
        }
    }
}
