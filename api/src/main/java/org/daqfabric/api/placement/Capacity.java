package org.daqfabric.api.placement;

/**
 * The event bandwidth a placement offers, equations (6.1) to (6.5) generalised to weights, capacities and failures.
 *
 * @param bandwidth Gbps arriving at all DCMs together when every DCM collects events at the rate its weight gives and
 *     the bottleneck is full; pairs without a path carry nothing
 * @param nominal the same Gbps with every link up and everything placed afresh
 * @param bottleneck the fullest link and direction, {@code switch:port -> switch:port}; empty if nothing flows
 * @param utilisation bandwidth divided by nominal, 0..1
 */
public record Capacity(double bandwidth, double nominal, String bottleneck, double utilisation) {
}
