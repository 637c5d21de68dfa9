package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;

/** {@code daqfabric:rules}. */
@Service
@Command(scope = "daqfabric", name = "rules",
    description = "Shows the rules and groups that a switch must hold and those it holds; fails if they differ")
public final class RulesCommand extends FabricCommand {
    @Argument(name = "switch", description = "Name of the switch", required = true)
    @Completion(SwitchCompleter.class)
    String switchName;

    @Option(name = "--address", description = "Only what concerns packets to this address")
    String address;

    @Override
    View run() {
        FabricSpec spec = fabrics.spec(fabric());
        NameLookup.switches(spec, List.of(switchName));
        return RulesView.of(spec.name(), fabrics.rules(spec.name(), switchName, address()));
    }

    @SuppressWarnings("checkstyle:avoidHidingCauseException") // it says no more than the message
    private Optional<Address> address() {
        try {
            return Optional.ofNullable(address).map(Address::parse);
        } catch (IllegalArgumentException e) {
            throw new NotDoneException(TerminalText.cut(TerminalText.clean(e.getMessage()), Table.WIDTH));
        }
    }
}
