package org.daqfabric.impl.cli;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.FabricSpec;

/** {@code daqfabric:links}. */
@Service
@Command(scope = "daqfabric", name = "links", description = "Shows links: where they lead and how they are")
public final class LinksCommand extends FabricCommand {
    @Argument(name = "links",
        description = "Links as SWITCH:PORT, or switches whose links to show; all if none is given", multiValued = true)
    @Completion(SwitchOrLinkCompleter.class)
    List<String> links;

    @Override
    View run() {
        FabricSpec spec = fabrics.spec(fabric());
        NameLookup.Elements named = NameLookup.elements(spec, links);
        return LinksView.of(spec, fabrics.state(fabric()), Stream.concat(named.switches().stream(),
            named.links().stream().map(link -> link.end().toString())).collect(Collectors.toSet()));
    }
}
