package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.TrafficMatrix.Weights;

/** {@code daqfabric:plan}. */
@Service
@Command(scope = "daqfabric", name = "plan", description = "Tells what a change or failures would do; touches nothing")
public final class PlanCommand extends NamelessCommand {
    @Option(name = "--drain", description = "A switch, or a link as SWITCH:PORT, that is drained", multiValued = true)
    @Completion(SwitchOrLinkCompleter.class)
    List<String> drain;

    @Option(name = "--undrain", description = "One that is taken back into service", multiValued = true)
    @Completion(SwitchOrLinkCompleter.class)
    List<String> undrain;

    @Option(name = "--fail", description = "One that fails, after the changes", multiValued = true)
    @Completion(SwitchOrLinkCompleter.class)
    List<String> fail;

    @Option(name = "--version", description = "A version of the fabric's history that is configured instead")
    Long version;

    @Option(name = "--measured", description = "Measures what ROS send for so many seconds, and takes the weights that"
        + " this amounts to instead of the configured ones")
    Integer measured;

    @Override
    View runWithOptions() {
        FabricSpec spec = fabrics.spec(fabric());
        Optional<Weights> weights = Optional.ofNullable(measured)
            .map(seconds -> fabrics.weights(spec.name(), seconds));
        WhatIf question = new WhatIf(
            Optional.ofNullable(version).map(number -> fabrics.version(spec.name(), number)),
            NameLookup.elements(spec, drain).parts(),
            NameLookup.elements(spec, undrain).parts(), NameLookup.elements(spec, fail).parts(), weights);
        if (question.isEmpty()) {
            throw new NotDoneException(
                "say what is to change or fail: --drain, --undrain or --fail with a switch, or a link"
                + " as SWITCH:PORT, --version with a number of daqfabric:history, or --measured with seconds");
        }
        return EffectView.of(spec, fabrics.plan(spec.name(), question), weights);
    }
}
