package org.daqfabric.impl.controller;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.RandomEdits;
import org.daqfabric.impl.engine.RandomLabels;
import org.daqfabric.impl.engine.RandomMoves;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The configuration of a fabric, and random edits of it, each logged in words. An edit for a while passes what takes it
 * back, with a text, to a consumer of repairs; there must not be another of these until then.
 */
final class ConfiguredFabric {
    private final World world;
    private final PairGuard guard;
    private final Random random;
    private final List<String> log;
    /** Without edits for a while, in the labels of the beginning. */
    private FabricSpec spec;
    /** The present configuration in the labels of the beginning. */
    private FabricSpec configured;
    /** What gives a configuration the present labels. */
    private UnaryOperator<FabricSpec> labels = UnaryOperator.identity();
    /** Whether a switch has moved in this sequence. */
    private boolean moved;

    ConfiguredFabric(World world, FabricSpec spec, PairGuard guard, Random random, List<String> log) {
        this.world = world;
        this.spec = spec;
        this.guard = guard;
        this.random = random;
        this.log = log;
        configured = spec;
    }

    /** In the labels of the beginning, once no edit for a while lasts. */
    FabricSpec spec() {
        return spec;
    }

    /** The present configuration in its labels. */
    FabricSpec relabelled() {
        return labels.apply(configured);
    }

    /** Whether no edit for a while lasts. */
    boolean isWhole() {
        return configured == spec;
    }

    /** From now on a switch may move again. */
    void newSequence() {
        moved = false;
    }

    void otherLabels() {
        UnaryOperator<FabricSpec> before = labels;
        UnaryOperator<FabricSpec> next = RandomLabels.of(before.apply(configured), random);
        labels = each -> next.apply(before.apply(each));
        log.add("other labels: " + names());
        world.manager.fabricChanged(relabelled());
    }

    /** The present names of switches by those of the beginning. */
    private Map<String, String> names() {
        List<Switch> now = relabelled().switches();
        Map<String, String> names = new TreeMap<>();
        for (int index = 0; index < now.size(); index++) {
            String before = configured.switches().get(index).name();
            if (!before.equals(now.get(index).name())) {
                names.put(before, now.get(index).name());
            }
        }
        return names;
    }

    void change() {
        RandomEdits edit = RandomEdits.of(spec, random);
        log.add("change " + edit.text());
        configureForGood(edit.how());
    }

    /** Drains a switch, or a link if there is none. */
    void drain(Optional<String> name, PortId link, BiConsumer<String, Runnable> repair) {
        log.add("drain " + name.orElse(link.toString()));
        configure(new FabricSpec(spec.name(), spec.planes(), spec.pods(),
            spec.switches().stream().map(sw -> !name.equals(Optional.of(sw.name())) ? sw
                : sw.withState(AdminState.DRAINED)).toList(),
            spec.links().stream().map(each -> name.isPresent() || !each.end().equals(link) ? each
                : new Link(each.end(), each.peer(), each.capacity(), AdminState.DRAINED)).toList(), spec.policy()));
        repair.accept("nothing is drained", () -> configure(spec));
    }

    void removeLink(PortId link, BiConsumer<String, Runnable> repair) {
        log.add("remove " + link);
        configure(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
            spec.links().stream().filter(each -> !each.end().equals(link)).toList(), spec.policy()));
        repair.accept("nothing is removed", () -> configure(spec));
    }

    /** Takes a spine out, which comes back as it was or as one of another plane. */
    void removeSpine(BiConsumer<String, Runnable> repair) {
        if (isWhole()) {
            RandomMoves.spareSpine(spec, random).ifPresent(left -> {
                log.add(left + " leaves");
                configure(FabricEdits.withoutSpine(spec, left));
                Random own = new Random(log.size());
                if (moved || own.nextBoolean()) {
                    repair.accept("all spines are back", () -> configure(spec));
                } else {
                    moved = true;
                    repair.accept("all spines are back, " + left + " in another plane", () -> {
                        spec = RandomMoves.toPlane(spec, left, own).orElse(spec);
                        world.network.build(new Topology(spec));
                        configure(spec);
                    });
                }
            });
        }
    }

    /** A switch gets another bridge or node. */
    void move(String name) {
        if (moved) {
            return;
        }
        moved = true;
        UnaryOperator<FabricSpec> move = random.nextBoolean() ? RandomMoves.toBridge(name, random)
            : RandomMoves.toNode(name, random);
        FabricSpec next = move.apply(spec);
        Switch now = new Topology(next).switchOf(name);
        log.add(name + " moves to " + now.systemId() + " " + now.bridge());
        world.network.build(new Topology(next));
        configureForGood(move);
    }

    void moveToOtherPlane() {
        if (isWhole() && !moved) {
            RandomMoves.toPlane(spec, random).ifPresent(next -> {
                moved = true;
                log.add("another plane: " + next.switches().stream().map(Switch::name).toList());
                world.network.build(new Topology(next));
                configureForGood(before -> next);
            });
        }
    }

    private void configureForGood(UnaryOperator<FabricSpec> edit) {
        boolean whole = isWhole();
        spec = edit.apply(spec);
        configure(whole ? spec : edit.apply(configured));
    }

    private void configure(FabricSpec next) {
        configured = next;
        guard.configured(next);
        world.manager.fabricChanged(relabelled());
    }
}
