package org.daqfabric.impl.engine.place;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The traffic that a plane brings to an address of weight 1 in some pod, if its spine is complete.
 *
 * @param sourceUplinks the uplinks, {@link PlacementModel#sourceUplink}, of the groups of sources
 * @param total the weight of all these sources
 * @param otherPods the pods of the sources, without the address's own
 * @param podWeights the weight of the sources in each of these
 * @param fromOtherPods the sum of these
 */
record PlaneSupply(int[] sourceUplinks, double total, int[] otherPods, double[] podWeights, double fromOtherPods) {
    /** What a plane brings to a pod from those groups that are wanted. */
    static PlaneSupply of(PlacementModel model, int plane, int toPod, IntPredicate wanted) {
        int[] sourceUplinks = new int[model.groups];
        double[] weightByPod = new double[model.fabric.pods()];
        int served = 0;
        double total = 0;
        for (int group = 0; group < model.groups; group++) {
            if (model.serves(plane, group, toPod) && wanted.test(group)) {
                sourceUplinks[served++] = model.sourceUplink(plane, group);
                weightByPod[model.podOfGroup[group]] += model.weightOfGroup[group];
                total += model.weightOfGroup[group];
            }
        }
        int[] otherPods = new int[weightByPod.length];
        double[] podWeights = new double[weightByPod.length];
        int count = 0;
        for (int pod = 0; pod < weightByPod.length; pod++) {
            if (pod != toPod && weightByPod[pod] > 0) {
                otherPods[count] = pod;
                podWeights[count++] = weightByPod[pod];
            }
        }
        return new PlaneSupply(Arrays.copyOf(sourceUplinks, served), total, Arrays.copyOf(otherPods, count),
            Arrays.copyOf(podWeights, count), total - weightByPod[toPod]);
    }
}
