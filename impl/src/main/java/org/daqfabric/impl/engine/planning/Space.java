package org.daqfabric.impl.engine.planning;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.daqfabric.impl.engine.check.InvalidInputException;

/**
 * Room and power of server-switches (5.6.2, 6.2.6).
 *
 * @param switchRackUnits height of one
 * @param rackUnitsOfRack height of a rack
 * @param switchPower watts of one; empty if it is not known
 */
public record Space(int switches, int switchRackUnits, int rackUnitsOfRack, OptionalInt switchPower) {
    public Space {
        Range.check("switch-rack-units", switchRackUnits, 1, 100);
        Range.check("rack-units", rackUnitsOfRack, 1, 1000);
        switchPower.ifPresent(watts -> Range.check("switch-power", watts, 1, 100_000));
        if (switchRackUnits > rackUnitsOfRack) {
            throw new InvalidInputException("switch-rack-units", "a switch of " + switchRackUnits
                + " rack units does not fit a rack of " + rackUnitsOfRack + ": give at most rack-units");
        }
    }

    public long rackUnits() {
        return (long) switches * switchRackUnits;
    }

    /** Racks, filled with nothing else; no switch is in two of them. */
    public int racks() {
        return Math.ceilDiv(switches, rackUnitsOfRack / switchRackUnits);
    }

    /** Watts. */
    public OptionalLong power() {
        return switchPower.isPresent() ? OptionalLong.of((long) switches * switchPower.getAsInt())
            : OptionalLong.empty();
    }
}
