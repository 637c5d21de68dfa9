package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;

/** Drains or undrains: shows the effect, asks for confirmation, and writes the change to the configuration. */
abstract class AdminCommand extends FabricCommand {
    private final AdminState target;

    @Argument(name = "parts", description = "Switches, and links as SWITCH:PORT of either end", required = true,
        multiValued = true)
    @Completion(SwitchOrLinkCompleter.class)
    List<String> parts;

    @Option(name = "--yes", aliases = "-y", description = "Do not ask")
    boolean yes;

    AdminCommand(AdminState target) {
        this.target = target;
    }

    @Override
    final View run() {
        FabricSpec spec = fabrics.spec(fabric());
        FabricParts change = notYetInTarget(spec, NameLookup.elements(spec, parts));
        if (change.isEmpty()) {
            return new AdminView(spec.name(), TerminalText.of(target), List.of(), Optional.empty());
        }
        if (json && !yes) {
            throw new NotDoneException("--json does not ask for confirmation: add --yes, or see daqfabric:plan first");
        }
        EffectView effect = EffectView.of(spec, fabrics.plan(spec.name(),
            target == AdminState.DRAINED ? WhatIf.drain(change) : WhatIf.undrain(change)));
        if (!json) {
            session.getConsole().println(effect.text());
        }
        if (!yes) {
            Confirmation.ask(session);
        }
        fabrics.setAdminState(spec.name(), change, target, yes ? Optional.empty() : Optional.of(spec));
        List<String> changed = new ArrayList<>(change.switches());
        change.links().forEach(link -> changed.add(link.toString()));
        return new AdminView(spec.name(), TerminalText.of(target), changed, Optional.of(effect));
    }

    /** The parts that are not in the target state yet. */
    private FabricParts notYetInTarget(FabricSpec spec, NameLookup.Elements named) {
        List<String> switches = spec.switches().stream().filter(each -> each.adminState() != target).map(Switch::name)
            .filter(named.switches()::contains).toList();
        List<PortId> links = named.links().stream().filter(link -> link.adminState() != target).map(Link::end).sorted()
            .toList();
        return new FabricParts(switches, links);
    }
}
