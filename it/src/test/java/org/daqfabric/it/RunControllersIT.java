package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Real run controllers, and the calls that our documentation describes, with a fabric of the lab. */
@ExtendWith(SharedController.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunControllersIT {
    private LabFabric fabric;

    @BeforeAll
    void fabric(final Lab lab) {
        fabric = lab.converged(lab.generate("prototype", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2"));
    }

    /** Constellation's controller with our satellite and stock ones; see {@code integrations/constellation/trial}. */
    @Test
    void constellation(final Restconf restconf) {
        python(restconf, "trial.run", Distribution.projectRoot().resolve("lab/daqlab").toString());
    }

    /** The calls documented for AliECS, drunc and MIDAS do what the documentation says. */
    @Test
    void documentation(final Restconf restconf) {
        python(restconf, "trial.documented");
    }

    private void python(final Restconf restconf, final String... module) {
        final var command = new ArrayList<>(List.of("env", "DAQFABRIC_URL=" + restconf.root(),
            "DAQFABRIC_USER=admin", "DAQFABRIC_PASSWORD=admin", "DAQFABRIC_FABRIC=" + fabric.name(),
            Distribution.projectRoot().resolve("scripts/constellation").toString(), "python3", "-m"));
        command.addAll(List.of(module));
        final var outcome = Processes.run(command);
        assertThat(outcome.code()).as("%s%n%s%s", outcome.command(), outcome.output(), outcome.errors()).isZero();
        System.out.println(outcome.output());
    }
}
