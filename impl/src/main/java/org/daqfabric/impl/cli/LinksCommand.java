package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;

/** {@code daqfabric:links}. */
@Service
@Command(scope = "daqfabric", name = "links", description = "Shows links: where they lead and how they are")
public final class LinksCommand extends FabricCommand {
    @Argument(name = "links",
        description = "Links as SWITCH:PORT, or switches whose links to show; all if none is given", multiValued = true)
    @Completion(SwitchOrLinkCompleter.class)
    List<String> links;

    @Option(name = "--by", description = "load: what links carry in each direction, the fullest as measured first; by"
        + " default by name")
    @Completion(value = StringsCompleter.class, values = { "name", "load" })
    String by = "name";

    @Override
    View run() {
        if (!by.equals("name") && !by.equals("load")) {
            throw new NotDoneException("--by is name or load, not " + TerminalText.clean(by));
        }
        FabricSpec spec = fabrics.spec(fabric());
        NameLookup.Elements named = NameLookup.elements(spec, links);
        Set<String> only = Stream.concat(named.switches().stream(),
            named.links().stream().map(link -> link.end().toString())).collect(Collectors.toSet());
        FabricState state = fabrics.state(fabric());
        return by.equals("load") ? LinkLoadsView.of(spec, state, only) : LinksView.of(spec, state, only);
    }
}
