package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.util.List;
import org.apache.karaf.shell.support.CommandException;
import org.daqfabric.api.NotDoneException;
import org.junit.jupiter.api.Test;

/** Commands that change a fabric, or plan a change. */
class ChangeCommandsTest extends CommandFixture {
    /** The effect of a drain is shown, and the drain is carried out only if the operator agrees. */
    @Test
    void drainAsksForConfirmation() throws CommandException {
        configure("one");
        DrainCommand drain = new DrainCommand();
        drain.parts = List.of("spine-1-1", "leaf-1-1:r1");
        answer = "no";
        assertThatThrownBy(() -> command(drain).execute()).hasMessage("nothing is done");
        answer = null;
        assertThatThrownBy(() -> command(drain).execute()).hasMessageContaining("add --yes");
        assertThat(service.requests).noneMatch(each -> each.startsWith("DRAINED"));
        answer = " Yes ";
        assertThat(run(drain)).isEqualTo("""
            before: 20.0 Gbps (100 %), bottleneck a:b -> c:d
            after:  10.0 Gbps (50 %)
            9 messages to 1 switch, 3 DCMs move

            FROM       TO         DCMS  NAMES
            plane 2    no path       1  dcm-3
            spine-1-1  spine-1-2     2  dcm-1, dcm-2

            No longer reached by every ROS:
            DCM    ROS
            dcm-3    0

            SWITCH    BRIDGE  RULES  GROUPS  DAQRINGS  PORTS  MESSAGES
            leaf-1-1          +3 -2  ~4                              9
            Now drained: spine-1-1, ros-1-01:p1. daqfabric:show tells how far it is.
            """);
        assertThat(service.requests).last().isEqualTo(
            "DRAINED FabricParts[switches=[spine-1-1], links=[ros-1-01:p1]] seen one");

        drain.json = true;
        assertRefused(drain, "add --yes");
        drain.yes = true;
        assertThat(JsonParser.parseString(run(drain)).getAsJsonObject().getAsJsonObject("effect").get("messages")
            .getAsInt())
            .isEqualTo(9);
        assertThat(service.requests).last().isEqualTo("DRAINED FabricParts[switches=[spine-1-1], links=[ros-1-01:p1]]");
        drain.json = false;
        service.failure = new NotDoneException("/daqfabric:fabrics/fabric[name='one']: a run goes on: stop it first");
        assertThatThrownBy(() -> command(drain).execute()).hasMessageContaining("a run goes on: stop it first");
    }

    /** A switch or link that is already in the state is left alone. */
    @Test
    void undrainLeavesWhatIsInService() throws CommandException {
        configure("one");
        UndrainCommand undrain = new UndrainCommand();
        undrain.parts = List.of("spine-1-1", "ros-1-01:p1");
        assertThat(run(undrain)).startsWith("Nothing to do");
        assertThat(service.requests).isEmpty();
        undrain.parts = List.of("nobody");
        assertRefused(undrain, "has no switch nobody");
    }

    /** What would change is shown, and the version is configured only if the operator agrees. */
    @Test
    void rollBackAsksForConfirmation() throws CommandException {
        configure("one");
        RollBackCommand back = new RollBackCommand();
        back.version = 1;
        back.reason = "the drain is over";
        answer = "no";
        assertThatThrownBy(() -> command(back).execute()).hasMessage("nothing is done");
        assertThat(service.requests).containsExactly("compare OptionalLong.empty OptionalLong[1]");
        answer = "yes";
        assertThat(run(back)).isEqualTo("""
            link a:b: admin-state in-service -> drained
            Now as in version 1: 2 links drained. daqfabric:show tells how far it is.
            """);
        assertThat(service.requests).last()
            .isEqualTo("roll back 1 Optional.empty Optional[the drain is over] seen 2 links drained");
        back.yes = true;
        run(back);
        assertThat(service.requests).last().as("who asks for nothing to be shown agrees to whatever it is")
            .isEqualTo("roll back 1 Optional.empty Optional[the drain is over]");
        back.yes = false;
        back.json = true;
        assertRefused(back, "add --yes");
    }

    /** Versions are listed with their users, and one can be planned and compared. */
    @Test
    void versionsAreListedComparedAndPlanned() throws CommandException {
        configure("one");
        assertThat(run(new HistoryCommand()).lines()).hasSize(3).anyMatch(line -> line.startsWith("      2  ")
            && line.contains("admin@sdn") && line.endsWith("new cables")).anyMatch(line -> line.contains("unknown"));
        CompareCommand compare = new CompareCommand();
        compare.from = 1;
        compare.to = 2L;
        assertThat(run(compare)).isEqualTo("link a:b: admin-state in-service -> drained\n");
        PlanCommand plan = new PlanCommand();
        plan.version = 1L;
        assertThat(run(plan)).contains("9 messages to 1 switch");
        assertThat(service.requests).contains("version 1");
    }

    /** A plan needs at least one change or failure. */
    @Test
    void planNeedsAChangeOrFailure() throws CommandException {
        configure("one");
        PlanCommand plan = new PlanCommand();
        assertRefused(plan, "--drain, --undrain or --fail");
        plan.drain = List.of("spine-1-1");
        plan.fail = List.of("leaf-1-1:r1");
        assertThat(run(plan)).contains("spine-1-1  spine-1-2     2  dcm-1, dcm-2");
        assertThat(service.requests).containsExactly("plan FabricParts[switches=[spine-1-1], links=[]]"
            + "FabricParts[switches=[], links=[]]FabricParts[switches=[], links=[ros-1-01:p1]]");
        plan.undrain = List.of("nobody");
        assertRefused(plan, "has no switch nobody");
        plan.names = List.of("one", "--drain", "spine-1-1");
        assertRefused(plan, "one is one word too many");
    }

    /** Measured weights are a change; those that differ most come first. */
    @Test
    void planWithMeasuredWeights() throws CommandException {
        configure("one");
        PlanCommand plan = new PlanCommand();
        plan.measured = 5;
        assertThat(run(plan)).contains("""
            WEIGHT OF     CONFIGURED  MEASURED
            dcm-1-01-001         1.0       0.1
            dcm-1-01-002         1.0       1.9
            ros-1-01             1.0       1.0
            """);
        assertThat(service.requests).first().isEqualTo("weights 5");
        plan.json = true;
        assertThat(JsonParser.parseString(run(plan)).getAsJsonObject().getAsJsonArray("weights")).hasSize(3);
        plan.measured = null;
        plan.drain = List.of("spine-1-1");
        assertThat(JsonParser.parseString(run(plan)).getAsJsonObject().has("weights")).isFalse();
    }

    @Test
    void rebalanceLimitsMoves() throws CommandException {
        configure("one");
        RebalanceCommand rebalance = new RebalanceCommand();
        assertThat(run(rebalance)).startsWith("2 DCMs move");
        rebalance.maxMoves = 3;
        run(rebalance);
        assertThat(service.requests).containsExactly("rebalance one OptionalInt.empty", "rebalance one OptionalInt[3]");
        rebalance.maxMoves = -1;
        assertRefused(rebalance, "--max-moves -1 is below 0");
    }
}
