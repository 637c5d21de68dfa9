package org.daqfabric.it.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The single thread of a simulator: connections, timers, and tasks from other threads. */
public final class EventLoop implements AutoCloseable {
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final List<TcpConnection> unsent = new ArrayList<>();
    private final Selector selector;
    private final Thread thread;
    private volatile boolean closed;

    private record Timer(long at, long number, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(final Timer other) {
            return at != other.at ? Long.compare(at - other.at, 0) : Long.compare(number, other.number);
        }
    }

    private long lastTimer;

    public EventLoop() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread = Thread.ofPlatform().daemon().name("switch-simulator").start(this::run);
    }

    /** Runs a task on the loop's thread. May be called from any thread. */
    public void execute(final Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Evaluates a function on the loop's thread and waits for the result. May be called from any thread. */
    @SuppressWarnings("checkstyle:illegalCatch") // rethrown where the question was asked
    public <T> T ask(final Supplier<T> question) {
        if (Thread.currentThread() == thread) {
            return question.get();
        }
        final var answer = new CompletableFuture<T>();
        execute(() -> {
            try {
                answer.complete(question.get());
            } catch (RuntimeException | AssertionError e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.join();
    }

    /** Runs a task after a delay. Only on the loop's thread. */
    void later(final Duration delay, final Runnable task) {
        timers.add(new Timer(System.nanoTime() + delay.toNanos(), lastTimer++, task));
    }

    /** Connects to an address; the handler is notified of the outcome. */
    TcpConnection connect(final InetSocketAddress address, final TcpConnection.Handler handler) {
        try {
            final var channel = SocketChannel.open();
            channel.configureBlocking(false);
            final var connection = new TcpConnection(this, channel, handler);
            connection.register(selector, SelectionKey.OP_CONNECT);
            channel.connect(address);
            return connection;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Accepts connections on a free port of the loopback address; the supplier creates the handler of each. */
    int listen(final Supplier<TcpConnection.Handler> handlers) {
        return ask(() -> {
            try {
                final var server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                server.configureBlocking(false);
                final Consumer<SelectionKey> accept = key -> {
                    try {
                        final var channel = server.accept();
                        if (channel != null) {
                            channel.configureBlocking(false);
                            final var connection = new TcpConnection(this, channel, handlers.get());
                            connection.register(selector, SelectionKey.OP_READ);
                            connection.opened();
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                };
                server.register(selector, SelectionKey.OP_ACCEPT, accept);
                return ((InetSocketAddress) server.getLocalAddress()).getPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Registers a connection with data to send, which is flushed before the loop waits. */
    void flushLater(final TcpConnection connection) {
        unsent.add(connection);
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a fault of the simulator: the other switches continue
    private void run() {
        while (!closed) {
            try {
                flush();
                selector.select(this::ready, millisToNextTimer());
                for (var task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                while (!timers.isEmpty() && timers.peek().at - System.nanoTime() <= 0) {
                    timers.poll().task.run();
                }
            } catch (IOException | RuntimeException e) {
                // a fault of the simulator: shown in the output of the test; the other switches continue
                e.printStackTrace();
            }
        }
        selector.keys().forEach(key -> {
            try {
                key.channel().close();
            } catch (IOException e) {
                e.printStackTrace();
            }
        });
    }

    @SuppressWarnings("unchecked") // attachments are wires or listeners
    private void ready(final SelectionKey key) {
        if (key.attachment() instanceof TcpConnection connection) {
            connection.ready();
        } else {
            ((Consumer<SelectionKey>) key.attachment()).accept(key);
        }
    }

    private void flush() {
        for (int at = 0; at < unsent.size(); at++) {
            unsent.get(at).flush();
        }
        unsent.clear();
    }

    /** Milliseconds until the next timer; 0 if there is none. */
    private long millisToNextTimer() {
        if (!tasks.isEmpty()) {
            return 1;
        }
        return timers.isEmpty() ? 0 : Math.max(1, (timers.peek().at - System.nanoTime() + 999_999) / 1_000_000);
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
