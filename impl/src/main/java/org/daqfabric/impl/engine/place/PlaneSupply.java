package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * What a plane brings to the sinks of a pod from sources that it leads from, per weight of the sink.
 *
 * @param sourceLinks the links of the groups of sources
 * @param total the weight of the sources
 * @param pods the other pods among theirs
 * @param weights of the sources in each of these
 * @param others the sum of these
 */
record PlaneSupply(int[] sourceLinks, double total, int[] pods, double[] weights, double others) {
    static PlaneSupply of(PlacementModel problem, int plane, int toPod, IntPredicate wanted) {
        int[] sourceLinks = new int[problem.groups];
        double[] fromPod = new double[problem.fabric.pods()];
        int served = 0;
        double total = 0;
        for (int group = 0; group < problem.groups; group++) {
            if (problem.serves(plane, group, toPod) && wanted.test(group)) {
                sourceLinks[served++] = problem.sourceLink(plane, group);
                fromPod[problem.groupPod[group]] += problem.groupWeight[group];
                total += problem.groupWeight[group];
            }
        }
        int[] pods = new int[fromPod.length];
        double[] weights = new double[fromPod.length];
        int count = 0;
        for (int pod = 0; pod < fromPod.length; pod++) {
            if (pod != toPod && fromPod[pod] > 0) {
                pods[count] = pod;
                weights[count++] = fromPod[pod];
            }
        }
        return new PlaneSupply(Arrays.copyOf(sourceLinks, served), total, Arrays.copyOf(pods, count),
            Arrays.copyOf(weights, count), total - fromPod[toPod]);
    }
}
