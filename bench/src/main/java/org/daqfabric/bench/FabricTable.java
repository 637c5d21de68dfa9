package org.daqfabric.bench;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * The bandwidth of fabrics placed by DCM and by pod, what whole flows allow at most, and the bound: whole, and after
 * that single failure of a link, leaf or spine after which least of the bound is reached. Numbers are the same on
 * every machine.
 */
public final class FabricTable {
    /** Fabrics of more links are regular, and tried with one failure of each kind. */
    private static final int MOST_LINKS = 120;

    private FabricTable() {
    }

    /** Prints a table in Markdown for the fabrics named, or for all. */
    public static void main(String[] names) {
        System.out.println(
            "| | whole: by DCM | by pod | whole flows | bound | failed | by DCM | by pod, repaired | rebalanced "
                + "| whole flows | bound |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
        fabrics().forEach((name, spec) -> {
            if (names.length == 0 || List.of(names).contains(name)) {
                System.out.println("| " + name + row(spec));
            }
        });
    }

    private static Map<String, FabricSpec> fabrics() {
        Map<String, FabricSpec> fabrics = new LinkedHashMap<>();
        fabrics.put("prototype", TestFabrics.prototype());
        fabrics.put("Fig. 6.4, 4 planes of 6 spines", TestFabrics.fig64(4, 6, 40));
        fabrics.put("Fig. 6.4, 2 planes of 6 spines", TestFabrics.fig64(2, 6, 40));
        fabrics.put("Fig. 6.4, 2 planes of 5 spines", TestFabrics.fig64(2, 5, 40));
        fabrics.put("4 pods of one rack of 3 DCMs, 2 planes of 2 spines", TestFabrics.regular("a", 2, 2, 4, 1, 1, 3));
        fabrics.put("2 pods of 3 racks of 4, 3 planes of 2", TestFabrics.regular("b", 3, 2, 2, 3, 3, 4));
        fabrics.put("3 pods of 2 racks of 5, 2 planes of 3", TestFabrics.regular("c", 2, 3, 3, 2, 2, 5));
        fabrics.put("6 pods of 2 racks of 7, 2 planes of 4", TestFabrics.regular("d", 2, 4, 6, 3, 2, 7));
        Random seeds = new Random(19);
        while (fabrics.size() < 18) {
            int seed = seeds.nextInt(1000);
            FabricSpec spec = TestFabrics.generated(new Random(seed));
            // lanes of parallel links are chosen by DCM in any case
            if (spec.pods().size() > 1 && spec.planes().size() > 1 && !new Topology(spec).hasParallelLinks()
                && SplitBound.of(new Topology(spec), UnusableLinks.ALL_UP) > 0) {
                fabrics.put("irregular, seed " + seed, spec);
            }
        }
        return fabrics;
    }

    private static String row(FabricSpec spec) {
        Topology byDcm = new Topology(spec);
        Topology byPod = new Topology(TestFabrics.byPod(spec));
        double bound = SplitBound.of(byDcm, UnusableLinks.ALL_UP);
        Placement dcm = Placer.place(byDcm, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        Placement pod = Placer.place(byPod, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        String worst = "";
        double least = Double.POSITIVE_INFINITY;
        for (Map.Entry<String, UnusableLinks> failure : failures(spec).entrySet()) {
            UnusableLinks failed = failure.getValue();
            double left = SplitBound.of(byDcm, failed);
            Placement repaired = Placer.place(byPod, failed, pod, Scope.REPAIR);
            double rebalanced =
                bandwidth(byPod, failed, Placer.place(byPod, failed, repaired, Scope.OPTIMISE));
            if (left > 0 && rebalanced / left < least) {
                least = rebalanced / left;
                worst = String.format(Locale.ROOT, "%s | %s | %s | %s | %.1f | %.1f", failure.getKey(),
                    of(left, bandwidth(byDcm, failed, Placer.place(byDcm, failed, dcm, Scope.REPAIR))),
                    of(left, bandwidth(byPod, failed, repaired)), of(left, rebalanced),
                    ofWholeFlows(byPod, failed, repaired, left), left);
            }
        }
        return String.format(Locale.ROOT, " | %s | %s | %.1f | %.1f | %s |",
            of(bound, bandwidth(byDcm, UnusableLinks.ALL_UP, dcm)),
            of(bound, bandwidth(byPod, UnusableLinks.ALL_UP, pod)),
            ofWholeFlows(byPod, UnusableLinks.ALL_UP, pod, bound), bound, worst);
    }

    /** What no placement of whole flows exceeds, of the same that a placement delivers. */
    private static double ofWholeFlows(Topology topology, UnusableLinks unusable, Placement placement, double bound) {
        return Math.min(bound, Loads.of(topology, unusable, placement).delivered()
            / Placer.leastLoadByPod(topology, unusable));
    }

    private static String of(double bound, double bandwidth) {
        return String.format(Locale.ROOT, "%.1f (%.1f %%)", bandwidth, 100 * bandwidth / bound);
    }

    private static double bandwidth(Topology topology, UnusableLinks unusable, Placement placement) {
        return Loads.of(topology, unusable, placement).bandwidth();
    }

    /** Every link, leaf and spine; in a large fabric one of each kind. */
    private static Map<String, UnusableLinks> failures(FabricSpec spec) {
        Map<String, UnusableLinks> failures = new LinkedHashMap<>();
        Set<String> kinds = new HashSet<>();
        boolean all = spec.links().size() <= MOST_LINKS;
        for (Link link : spec.links()) {
            String lower = link.end().switchName();
            String upper = link.peer().switchName();
            if (kinds.add(kind(lower) + " to " + kind(upper)) || all) {
                failures.put(lower + " to " + upper, new UnusableLinks(Set.of(link.end())));
            }
        }
        spec.switches().stream().map(each -> each.name())
            .filter(name -> kind(name).equals("leaf") || kind(name).equals("spine"))
            .filter(name -> kinds.add(kind(name)) || all)
            .forEach(name -> failures.put(name, TestFabrics.without(spec, name)));
        return failures;
    }

    private static String kind(String switchName) {
        return switchName.substring(0, switchName.indexOf('-'));
    }
}
