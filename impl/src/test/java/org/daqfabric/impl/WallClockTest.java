package org.daqfabric.impl;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.impl.async.Clocks;
import org.junit.jupiter.api.Test;

/**
 * Somebody may set the system's clock. Durations, deadlines, ages and orders are by a clock that nobody sets; whoever
 * reads the other one is named here, with the reason.
 */
class WallClockTest {
    private static final JavaClasses CLASSES = MainClasses.ALL;

    /** Who asks the system, or {@link Clocks#wall()}. */
    private static final Map<String, String> READERS = Map.ofEntries(
        entry("ActiveController", "gives it to EventLog and AlarmRpcs"),
        entry("AlarmKeeper", "when alarms are shown to have changed; an alarm's own times go on if it was set back"),
        entry("AskedRequest", "the time in the audit, whose lines are in order; how long it took is by another"),
        entry("Clocks", "where the steady clock begins"),
        entry("DaqFabric", "gives it to Backups and Leadership"),
        entry("DiagnosisCollector", "whether it was set, which year it shows, and days left of certificates"),
        entry("DropAges", "the age of what a node tells with a time; the smaller of two if the clock was set"),
        entry("DropLog", "when drops are shown to have been that a switch tells with a time that cannot be"),
        entry("FabricHistory", "gives it to HistoryRecorder"),
        entry("LoopHealth", "since when a placement is shown not to be stored; how long that is, is by another"),
        entry("PendingOperation", "when a partition is shown to have failed"),
        entry("ProofWatch", "when a proof is shown to have been, from its age by another"),
        entry("Removals", "since when a bridge is shown to wait for its removal"),
        entry("RepairClock", "when a repair is shown to have been detected; the rest of it is by another"),
        entry("RunClock", "when a run that began before this controller did is shown to end"),
        entry("RunControl", "since when a partition is shown to be in its state"),
        entry("ShellAudit", "the time in the audit, whose lines are in order"),
        entry("StateBuilder", "since when a link is shown to be in its state"),
        entry("StatisticsPoller", "the time of counters, which Prometheus and the standard views see"),
        entry("UserSharing", "gives it to SharedUsers"));

    /** Who is given the system's clock. */
    private static final Map<String, String> GIVEN = Map.of(
        "AlarmRpcs", "which alarms are older than an operator says, by the times that are shown",
        "Backups", "the time in a backup",
        "EventLog", "the time of an event; their order is that of their numbers",
        "HistoryRecorder", "the time of a version; their order is that of their numbers",
        "Leadership", "since when a member is shown to be active",
        "SharedUsers", "which of two changes at two members counts; after a known one it is later than that");

    /** Who is given the clock that nobody sets. */
    private static final SortedSet<String> STEADY = new TreeSet<>(Set.of("Cabling", "LeavingRings",
        "LinkTracker", "LogPace", "WarmUp"));

    /** The names of top-level classes that use something. */
    private static SortedSet<String> users(Predicate<CodeUnitAccessTarget> what) {
        return CLASSES.stream().filter(each -> uses(each).anyMatch(use -> what.test(use.getTarget())))
            .map(WallClockTest::topLevel).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<? extends JavaCodeUnitAccess<?>> uses(JavaClass from) {
        return Stream.of(from.getMethodCallsFromSelf(), from.getConstructorCallsFromSelf(),
            from.getMethodReferencesFromSelf(), from.getConstructorReferencesFromSelf()).flatMap(each -> each.stream());
    }

    private static String topLevel(JavaClass each) {
        return each.getName().replaceAll("^.*\\.|\\$.*$", "");
    }

    private static boolean isOfSystem(CodeUnitAccessTarget target) {
        String name = target.getName();
        boolean isWithoutInput = target.getRawParameterTypes().isEmpty();
        JavaClass owner = target.getOwner();
        return owner.getPackageName().equals("java.time") && name.equals("now")
            || owner.isEquivalentTo(Clock.class) && (name.startsWith("system") || name.startsWith("tick"))
            || owner.isEquivalentTo(InstantSource.class) && name.equals("system")
            || owner.isEquivalentTo(System.class) && name.equals("currentTimeMillis")
            || owner.isAssignableTo(Date.class) && name.equals("<init>") && isWithoutInput
            || owner.isAssignableTo(Calendar.class) && (name.equals("getInstance") || name.equals("<init>"))
            || name.equals("parkUntil") || name.equals("awaitUntil");
    }

    private static boolean isOfClocks(CodeUnitAccessTarget target, String clock) {
        return target.getOwner().isEquivalentTo(Clocks.class) && target.getName().equals(clock);
    }

    private static boolean isOfGiven(CodeUnitAccessTarget target) {
        return target.getOwner().isAssignableTo(InstantSource.class)
            && (target.getName().equals("instant") || target.getName().equals("millis"));
    }

    @Test
    void readersOfTheSystemsClockAreNamed() {
        assertThat(users(target -> isOfSystem(target) || isOfClocks(target, "wall")))
            .as("take Clocks.steady() or System.nanoTime() for a duration, deadline, age or order; else say why here")
            .isEqualTo(new TreeSet<>(READERS.keySet()));
    }

    /** A class that is given one clock cannot tell which of the two it is. */
    @Test
    void whoIsGivenAClockIsNamed() {
        SortedSet<String> given = users(WallClockTest::isOfGiven);
        given.removeAll(users(target -> isOfClocks(target, "wall") || isOfClocks(target, "steady")));
        SortedSet<String> named = new TreeSet<>(STEADY);
        named.addAll(GIVEN.keySet());
        assertThat(given).as("name it in STEADY, or in GIVEN with what it needs the system's clock for")
            .isEqualTo(named);
        assertThat(STEADY).doesNotContainAnyElementsOf(GIVEN.keySet());
    }
}
