package org.daqfabric.impl.northbound;

import java.util.OptionalLong;
import java.util.function.Function;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.check.Location;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Gbps;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Hertz;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Milliseconds;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.PacketRate;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Ratio;
import org.opendaylight.yangtools.yang.common.Decimal64;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Numbers in the answers of the planning rpcs. */
final class PlanningNumbers {
    private static final int DIGITS = 6;
    private static final long MOST = 0xFFFF_FFFFL;

    private PlanningNumbers() {
    }

    /**
     * A number of the answer.
     *
     * @throws InvalidInputException if the inputs, each within its range, lead to more than an answer holds
     */
    static Uint32 uint32(long value) {
        if (value > MOST) {
            throw new InvalidInputException(Location.input(), "these numbers lead to " + value
                + " of something of which the answer holds " + MOST + " at most: give smaller ones");
        }
        return Uint32.valueOf(value);
    }

    static Uint64 uint64(long value) {
        return Uint64.valueOf(value);
    }

    /** Null, which leaves the leaf out of the answer, if there is no number. */
    static Uint64 uint64(OptionalLong value) {
        return value.isPresent() ? uint64(value.getAsLong()) : null;
    }

    static Gbps gbps(double value) {
        return of(value, Gbps::new);
    }

    static PacketRate packetRate(double value) {
        return of(value, PacketRate::new);
    }

    static Hertz hertz(double value) {
        return of(value, Hertz::new);
    }

    static Milliseconds milliseconds(double value) {
        return of(value, Milliseconds::new);
    }

    static Ratio ratio(double value) {
        return of(value, Ratio::new);
    }

    /** Null, which leaves the leaf out of the answer, if there is no limit. */
    private static <T> T of(double value, Function<Decimal64, T> type) {
        return Double.isInfinite(value) ? null : type.apply(YangValues.decimal(value, DIGITS));
    }
}
