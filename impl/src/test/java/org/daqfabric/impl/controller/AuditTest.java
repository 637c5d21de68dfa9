package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.TestFabrics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every switch is compared with its program once in an interval, and what differs is corrected. */
class AuditTest {
    private final World world = new World(1);
    private final FabricSpec spec = TestFabrics.regular("tiny", 1, 2, 1, 1, 1, 1);

    @BeforeEach
    void fabricIsUp() {
        world.configure(spec);
        world.settle();
    }

    /** Rules that somebody deleted are back after one interval at most, on every switch. */
    @Test
    void deletedRulesComeBack() {
        var before = new TreeMap<>(world.network.programs());
        before.keySet().forEach(name -> world.network.edit(name, program -> Program.EMPTY));
        assertThat(world.network.programs()).isNotEqualTo(before);
        world.pass(Duration.ofSeconds(121));
        assertThat(world.network.programs()).isEqualTo(before);
    }

    /** A switch that has its program is sent nothing. */
    @Test
    void nothingIsSentWhereNothingDiffers() {
        int messages = world.network.messages();
        world.pass(Duration.ofMinutes(5));
        assertThat(world.network.messages()).isEqualTo(messages);
    }

    /** A read that failed says nothing about what is installed: nothing is sent, and the next read counts. */
    @Test
    void failedReadCorrectsNothing() {
        int messages = world.network.messages();
        world.network.failReads("leaf-1-1", 1);
        world.pass(Duration.ofSeconds(61));
        assertThat(world.network.messages()).isEqualTo(messages);
        world.network.edit("leaf-1-1", program -> Program.EMPTY);
        world.pass(Duration.ofSeconds(121));
        assertThat(world.network.programs().get("leaf-1-1").rules()).isNotEmpty();
    }

    /** A fabric may begin with a name only; its switches are compared as soon as it has some. */
    @Test
    void fabricThatBeganEmptyIsCompared() {
        FabricSpec empty = new FabricSpec("later", List.of(), List.of(), List.of(), List.of(), spec.policy());
        FabricSpec grown = TestFabrics.regular("later", 1, 2, 1, 1, 1, 1);
        World other = new World(2);
        other.configure(empty);
        other.pass(Duration.ofMinutes(5));
        other.configure(grown);
        other.settle();
        var before = new TreeMap<>(other.network.programs());
        before.keySet().forEach(name -> other.network.edit(name, program -> Program.EMPTY));
        other.pass(Duration.ofSeconds(121));
        assertThat(other.network.programs()).isEqualTo(before);
    }
}
