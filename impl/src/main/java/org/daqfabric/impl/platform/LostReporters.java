package org.daqfabric.impl.platform;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.daqfabric.impl.async.Repeating;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives lost members up whose last reports keep others apart.
 *
 * <p>In Pekko a member counts as unreachable for all while any member reports it as such, until that one withdraws its
 * report. A member that dies within seconds of another's return from a cut has not withdrawn it: the two that are left
 * reach each other and are a majority, but OpenDaylight lets neither vote for the other, until the dead one has started
 * again or Pekko gives up the wrong ones too. So as soon as a member has seen for some seconds that all that keeps it
 * from a majority is the reports of members that it cannot reach itself, it gives those up.
 */
public final class LostReporters implements AutoCloseable {
    /** A member that has just returned withdraws its reports within a second or two. */
    static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(LostReporters.class);
    private static final long CHECK_MILLIS = 500;
    private static final String CLUSTER = "pekko:type=Cluster";

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-members").factory());
    private final LostMembers lost;
    private final ObjectName cluster;
    private final LongSupplier nanos;
    private Set<String> reporters = Set.of();
    private long since;
    /** Members that are being given up; it takes some moments until Pekko shows that. */
    private Set<String> givenUp = Set.of();

    /**
     * Checks periodically from now on.
     *
     * @param lost is shown what this member sees
     */
    public LostReporters(LostMembers lost) {
        this(lost, CLUSTER, System::nanoTime);
        thread.scheduleWithFixedDelay(new Repeating("looking for reports of lost members", thread, this::check),
            CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    LostReporters(LostMembers lost, String cluster, LongSupplier nanos) {
        this.lost = lost;
        try {
            this.cluster = new ObjectName(cluster);
        } catch (JMException e) {
            throw new IllegalArgumentException(cluster, e);
        }
        this.nanos = nanos;
    }

    void check() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        if (!beans.isRegistered(cluster)) {
            return; // before the cluster has started, and after it has ended
        }
        try {
            MembershipView view = MembershipView.of((String) beans.getAttribute(cluster, "ClusterStatus"));
            lost.saw(view);
            for (String each : due(view)) {
                LOG.warn("member {} is lost, and its last report keeps members apart that reach each other: it is given"
                    + " up, and will restart by itself if it is alive", each);
                beans.invoke(cluster, "down", new Object[] {each}, new String[] {String.class.getName()});
            }
        } catch (JMException e) {
            throw new IllegalStateException("Pekko does not tell its members", e);
        }
    }

    /** The members to be given up now: the same for long enough, and only once. */
    Set<String> due(MembershipView view) {
        Set<String> now = view.lostReporters();
        if (!now.equals(reporters)) {
            reporters = now;
            since = nanos.getAsLong();
            givenUp = Set.of();
        }
        if (nanos.getAsLong() - since < PATIENCE.toNanos() || givenUp.equals(now)) {
            return Set.of();
        }
        givenUp = now;
        return now;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
