package org.daqfabric.impl.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.daqfabric.api.history.Difference;
import org.daqfabric.api.history.FabricChanges;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Differences name every part that changed and no other, and summaries stay short. */
class DifferTest {
    private static final FabricSpec SMALL = TestFabrics.regular("small", 2, 2, 2, 1, 2, 2);
    private static final int GENERATED = 200;

    private static FabricChanges compare(FabricSpec before, FabricSpec after) {
        return Differ.compare(Optional.of(before), Optional.of(after));
    }

    private static FabricSpec links(FabricSpec spec, UnaryOperator<Link> change) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
            spec.links().stream().map(change).toList(), spec.policy());
    }

    private static Link drained(Link link) {
        return new Link(link.end(), link.peer(), link.capacity(), AdminState.DRAINED);
    }

    private static FabricSpec bfdInterval(FabricSpec spec, int interval) {
        Policy policy = spec.policy();
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), spec.links(),
            new Policy(policy.placement(), policy.daqring(), new Policy.Protection(policy.protection().fastFailover(),
                policy.protection().bfd(), interval), policy.rules()));
    }

    /** The first DCM of the first rack moves to the second rack of the pod. */
    private static FabricSpec moved(FabricSpec spec) {
        Pod pod = spec.pods().get(0);
        HltRack from = pod.racks().get(0);
        HltRack to = pod.racks().get(1);
        List<Dcm> more = new ArrayList<>(to.dcms());
        more.add(from.dcms().get(0));
        List<Pod> pods = new ArrayList<>(spec.pods());
        pods.set(0, new Pod(pod.id(), pod.ros(), List.of(
            new HltRack(from.name(), from.switchName(), from.dcms().subList(1, from.dcms().size())),
            new HltRack(to.name(), to.switchName(), more))));
        return new FabricSpec(spec.name(), spec.planes(), pods, spec.switches(), spec.links(), spec.policy());
    }

    @Test
    void nothingDiffersInTheSameFabric() {
        FabricChanges none = compare(SMALL, TestFabrics.shuffled(SMALL, new Random(1)));
        assertThat(none.differences()).isEmpty();
        assertThat(none.summary()).isEqualTo("nothing changed");
    }

    /** What operators do most is said in their words. */
    @Test
    void saysWhatHappenedInTheWordsOfTheField() {
        List<String> two = SMALL.links().stream().limit(2).map(link -> link.end().toString()).toList();
        FabricSpec after = bfdInterval(moved(links(SMALL, link ->
            two.contains(link.end().toString()) ? drained(link) : link)), 300);
        HltRack from = SMALL.pods().get(0).racks().get(0);
        HltRack to = SMALL.pods().get(0).racks().get(1);
        String dcm = from.dcms().get(0).name();

        FabricChanges changes = compare(SMALL, after);

        assertThat(changes.summary()).isEqualTo("policy bfd-interval " + SMALL.policy().protection().bfdInterval()
            + " -> 300; DCM " + dcm + " moved from rack " + from.name() + " to rack " + to.name()
            + "; 2 links drained");
        assertThat(changes.differences()).extracting(Difference::text).contains(
            "DCM " + dcm + ": rack " + from.name() + " -> " + to.name(),
            "link " + two.get(0) + ": admin-state in-service -> drained");
        assertThat(compare(after, links(after, link -> SMALL.links().stream()
            .filter(old -> old.end().equals(link.end())).findFirst().orElseThrow())).summary())
            .isEqualTo("2 links back in service");
    }

    /** An MTU that the fabric is given differs from none. */
    @Test
    void saysThatAFabricHasAnMtu() {
        Policy policy = SMALL.policy();
        FabricSpec after = new FabricSpec(SMALL.name(), SMALL.planes(), SMALL.pods(), SMALL.switches(), SMALL.links(),
            new Policy(policy.placement(), policy.daqring(), policy.protection(), policy.rules(),
                OptionalInt.of(9000)));
        assertThat(compare(SMALL, after).summary()).isEqualTo("policy mtu (none) -> 9000");
    }

    /** One value for all links is one change in words. */
    @Test
    void saysOnceWhatIsTheSameForMany() {
        FabricChanges changes = compare(SMALL, links(SMALL, link ->
            new Link(link.end(), link.peer(), 2.5 * link.capacity(), link.adminState())));
        assertThat(changes.differences()).hasSameSizeAs(SMALL.links());
        assertThat(changes.summary()).isEqualTo(SMALL.links().size() + " links: capacity 10 -> 25");
    }

    @Test
    void aFabricComesAndGoes() {
        assertThat(Differ.compare(Optional.empty(), Optional.of(SMALL)).summary())
            .startsWith("fabric added: 2 planes, ").contains("8 DCMs", SMALL.switches().size() + " switches");
        FabricChanges removal = Differ.compare(Optional.of(SMALL), Optional.empty());
        assertThat(removal.summary()).isEqualTo("fabric removed");
        assertThat(removal.differences()).isNotEmpty().allSatisfy(each -> assertThat(each.text()).contains(" removed"));
    }

    /**
     * Between any two fabrics there is a difference if and only if they are not equal, the way back swaps before and
     * after, and the summary is a line.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void everyDifferenceIsFoundBothWays(long seed) {
        Random random = new Random(seed);
        for (int number = 0; number < GENERATED; number++) {
            FabricSpec one = TestFabrics.generated(random);
            FabricSpec other = random.nextInt(4) == 0 ? TestFabrics.shuffled(one, random)
                : random.nextBoolean() ? TestFabrics.readdressed(one, random) : TestFabrics.generated(random);
            FabricChanges there = compare(one, other);
            FabricChanges back = compare(other, one);
            assertThat(there.differences().isEmpty()).isEqualTo(one.equals(other));
            assertThat(back.differences().stream().map(each ->
                new Difference(each.part(), each.property(), each.after(), each.before())))
                .containsExactlyInAnyOrderElementsOf(there.differences());
            assertThat(there.summary()).isNotEmpty().doesNotContain("\n").hasSizeLessThan(800);
        }
    }
}
