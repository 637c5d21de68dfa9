package org.daqfabric.impl.engine.planning;

import org.daqfabric.impl.engine.check.InvalidInputException;

/**
 * The reference solution: large routers with port modules (thesis 6.2.5.2).
 *
 * @param ports N_ports
 * @param chassis a router without port modules
 * @param module a port module
 * @param fabricModulePrice of a fabric module, of which every port module takes one
 */
public record RouterCost(int ports, Chassis chassis, Module module, long fabricModulePrice) {
    /**
     * A chassis.
     *
     * @param ports when full
     * @param fabricModules that come with it
     */
    public record Chassis(long price, int ports, int fabricModules) {
        public Chassis {
            Range.check("chassis-price", price, 0, 1_000_000_000);
            Range.check("chassis-ports", ports, 1, 100_000);
            Range.check("fabric-modules-included", fabricModules, 0, 100_000);
        }
    }

    /** A port module. */
    public record Module(long price, int ports) {
        public Module {
            Range.check("module-price", price, 0, 1_000_000_000);
            Range.check("module-ports", ports, 1, 100_000);
        }
    }

    public RouterCost {
        Range.check("ports", ports, 1, 10_000_000);
        Range.check("fabric-module-price", fabricModulePrice, 0, 1_000_000_000);
        if (module.ports() > chassis.ports()) {
            throw new InvalidInputException("module-ports", "a module of " + module.ports() + " ports for a chassis of "
                + chassis.ports() + ": give at most chassis-ports");
        }
    }

    public int chassisNeeded() {
        return Math.ceilDiv(ports, chassis.ports());
    }

    public int modulesNeeded() {
        return Math.ceilDiv(ports, module.ports());
    }

    public long price() {
        long fabricModules = Math.max(0, modulesNeeded() - (long) chassisNeeded() * chassis.fabricModules());
        return chassisNeeded() * chassis.price() + modulesNeeded() * module.price() + fabricModules * fabricModulePrice;
    }
}
