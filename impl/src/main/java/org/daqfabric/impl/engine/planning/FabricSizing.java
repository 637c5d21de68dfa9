package org.daqfabric.impl.engine.planning;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.daqfabric.impl.engine.check.InvalidInputException;

/**
 * The fabric with the fewest switches that carries an event rate.
 *
 * @param racks N_H
 * @param eventRate Hz
 * @param linkCapacity b, Gbps
 * @param mostPlanes uplinks every ROS and rack has
 * @param pods empty if they are to be chosen
 * @param switchPorts N_ports,server
 */
public record FabricSizing(EventTransfer event, int racks, double eventRate, double linkCapacity, int mostPlanes,
        OptionalInt pods, int switchPorts) {
    public FabricSizing {
        Range.check("racks", racks, 1, 65_535);
        Range.check("event-rate", eventRate, 0.001, 1e9);
        Range.check("link-capacity", linkCapacity, 0.001, 10_000);
        Range.check("most-planes", mostPlanes, 1, 255);
        Range.check("switch-ports", switchPorts, 2, 1024);
        if (pods.isPresent()) {
            Range.check("pods", pods.getAsInt(), 1, 1024);
            if (pods.getAsInt() > Math.min(event.responses().size(), racks)) {
                throw new InvalidInputException("pods", pods.getAsInt() + " pods for " + event.responses().size()
                    + " ROS and " + racks + " racks: give at most one for each ROS and for each rack");
            }
            if (pods.getAsInt() > switchPorts) {
                throw new InvalidInputException("pods", pods.getAsInt() + " pods, and a spine has " + switchPorts
                    + " ports for their leaves: give fewer pods or more switch-ports");
            }
        }
    }

    /** r times the event rate, Gbps. */
    public double requiredBandwidth() {
        return Goodput.bandwidth(event, eventRate);
    }

    /** Events per second at a bandwidth in Gbps. */
    public double eventRate(double bandwidth) {
        return Goodput.eventRate(event, bandwidth);
    }

    /** Whether a bandwidth carries the event rate. */
    public boolean isSufficient(double bandwidth) {
        return Rounding.reaches(bandwidth, requiredBandwidth());
    }

    /** The fabric; among equals the one with fewer planes, then with fewer pods. */
    public FabricSize fabric() {
        int ros = event.responses().size();
        double most = mostPlanes * (double) Math.min(ros, racks) * linkCapacity;
        if (!isSufficient(most)) {
            throw new InvalidInputException("event-rate", String.format(Locale.ROOT,
                "%.3f Gbps are needed, and the uplinks of %s into %d planes carry %.3f", requiredBandwidth(),
                ros < racks ? ros + " ROS" : racks + " racks", mostPlanes, most)
                + ": lower it, or give more planes, faster links or more " + (ros < racks ? "ROS" : "racks"));
        }
        int mostPods = Math.min(Math.min(ros, racks), switchPorts);
        return IntStream.rangeClosed(1, mostPlanes).boxed()
            .flatMap(planes -> IntStream.rangeClosed(pods.orElse(1), pods.orElse(mostPods))
                .mapToObj(number -> fewestSpines(planes, number, ros)).flatMap(Optional::stream))
            .min(Comparator.comparingInt(FabricSize::switches).thenComparingInt(FabricSize::planes)
                .thenComparingInt(FabricSize::pods))
            .orElseThrow(() -> new InvalidInputException("switch-ports",
                "no leaf has ports enough for the ROS and racks of its pod and for the spines it takes: give more"
                + " of them, " + (pods.isPresent() ? "other pods, " : "")
                + "more planes or faster links"));
    }

    private Optional<FabricSize> fewestSpines(int planes, int number, int ros) {
        double busiest = new FabricSize(planes, 1, number, ros, racks, linkCapacity).busiest();
        long spines = Math.max(1, Rounding.up(requiredBandwidth() * busiest / (planes * linkCapacity)));
        if (spines > switchPorts) {
            return Optional.empty();
        }
        FabricSize size = new FabricSize(planes, (int) spines, number, ros, racks, linkCapacity);
        return Optional.of(size).filter(fits -> fits.leafPorts() <= switchPorts && isSufficient(fits.bandwidth()));
    }
}
