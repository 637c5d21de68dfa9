package org.daqfabric.impl.cli;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.daqfabric.api.FabricService;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.spec.FabricSpec;

/** Completes names from the fabric given on the command line, or from all fabrics if none is given. */
abstract class NameCompleter implements Completer {
    private static final Set<String> FABRIC = Set.of("-f", "--fabric");

    @Reference
    FabricService fabrics;

    abstract Stream<String> names(FabricSpec spec);

    @Override
    public final int complete(Session session, CommandLine line, List<String> candidates) {
        Collection<String> names = selectedSpecs(line).stream().flatMap(this::names).distinct().toList();
        return new StringsCompleter(names).complete(session, line, candidates);
    }

    private List<FabricSpec> selectedSpecs(CommandLine line) {
        List<String> words = line == null ? List.of() : Arrays.asList(line.getArguments());
        for (int at = 0; at < words.size() - 1; at++) {
            if (FABRIC.contains(words.get(at)) && fabrics.fabrics().contains(words.get(at + 1))) {
                return specs(Set.of(words.get(at + 1)));
            }
        }
        return specs(fabrics.fabrics());
    }

    private List<FabricSpec> specs(Collection<String> names) {
        try {
            return names.stream().map(fabrics::spec).toList();
        } catch (NotDoneException e) {
            return List.of();
        }
    }
}
