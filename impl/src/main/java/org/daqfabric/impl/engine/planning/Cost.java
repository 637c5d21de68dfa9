package org.daqfabric.impl.engine.planning;

import org.daqfabric.impl.engine.check.InvalidInputException;

/**
 * Server-switches of a parallel leaf-spine fabric with a number of ports, (6.6) to (6.10).
 *
 * @param ports N_ports
 * @param spines N_S
 * @param switchPorts N_ports,server
 * @param switchPrice in any currency
 */
public record Cost(int ports, int spines, int switchPorts, long switchPrice) {
    public Cost {
        Range.check("ports", ports, 1, 10_000_000);
        Range.check("spines", spines, 1, 1023);
        Range.check("switch-ports", switchPorts, 2, 1024);
        Range.check("switch-price", switchPrice, 1, 1_000_000_000);
        if (spines >= switchPorts) {
            throw new InvalidInputException("spines", "a leaf with " + switchPorts + " ports has none left beside "
                + spines + " spines: give fewer than switch-ports");
        }
    }

    /** N_P,full, (6.7). */
    public int fullPlanes() {
        return ports / portsOfPlane();
    }

    /** N_ports,rem, (6.9). */
    public int remainingPorts() {
        return ports - fullPlanes() * portsOfPlane();
    }

    /** N_L,rem, (6.8). */
    public int remainingLeaves() {
        return Math.ceilDiv(remainingPorts(), portsOfPod());
    }

    /**
     * N_servers, (6.10), with the factor N_P,full that its last line lacks and without spines for a plane that has no
     * ports: N_L,rem + N_S (N_P,full + 1) + N_P,full N_ports,server.
     */
    public int switches() {
        int planes = fullPlanes() + (remainingPorts() > 0 ? 1 : 0);
        return remainingLeaves() + spines * planes + fullPlanes() * switchPorts;
    }

    /** (N_ports,server - N_S) : N_S. */
    public double oversubscription() {
        return (double) portsOfPod() / spines;
    }

    public long price() {
        return switches() * switchPrice;
    }

    private int portsOfPod() {
        return switchPorts - spines;
    }

    private int portsOfPlane() {
        return switchPorts * portsOfPod();
    }
}
