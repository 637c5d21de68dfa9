package org.daqfabric.impl.northbound;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Gbps;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Hertz;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Milliseconds;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Ratio;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.RealNumber;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.WholeNumber;
import org.opendaylight.yangtools.yang.common.Decimal64;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Numbers of rpcs, as they are given and answered. */
final class RpcNumbers {
    private static final int DIGITS = 6;

    private RpcNumbers() {
    }

    /** What must be given. */
    static int required(WholeNumber value, String leaf, String example) {
        return toInt(requiredLong(value, leaf, example));
    }

    static long requiredLong(WholeNumber value, String leaf, String example) {
        if (value == null) {
            throw missing(leaf, example);
        }
        return whole(value, leaf);
    }

    /** What must be given unless it is known otherwise. */
    static int required(WholeNumber value, Optional<Integer> otherwise, String leaf, String example) {
        return value == null && otherwise.isPresent() ? otherwise.get() : required(value, leaf, example);
    }

    static double required(RealNumber value, String leaf, String example) {
        if (value == null) {
            throw missing(leaf, example);
        }
        return real(value, leaf);
    }

    static InvalidInputException missing(String leaf, String example) {
        return new InvalidInputException(leaf, "is missing: give it, as in {\"input\":{\"" + leaf + "\":" + example + "}}");
    }

    static int or(WholeNumber value, String leaf, int otherwise) {
        return value == null ? otherwise : toInt(whole(value, leaf));
    }

    static double or(RealNumber value, String leaf, double otherwise) {
        return value == null ? otherwise : real(value, leaf);
    }

    static OptionalInt optional(WholeNumber value, String leaf) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(toInt(whole(value, leaf)));
    }

    private static long whole(WholeNumber value, String leaf) {
        return whole(value.stringValue(), leaf);
    }

    static long whole(String value, String leaf) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw noNumber(leaf, "whole number");
        }
    }

    private static double real(RealNumber value, String leaf) {
        return real(value.stringValue(), leaf);
    }

    static double real(String value, String leaf) {
        try {
            return new BigDecimal(value).doubleValue();
        } catch (NumberFormatException e) {
            throw noNumber(leaf, "number");
        }
    }

    private static InvalidInputException noNumber(String leaf, String kind) {
        return new InvalidInputException(leaf, "this is no " + kind + ", or too large for one");
    }

    /** No range of ours goes beyond an int; what does stays out of range. */
    private static int toInt(long value) {
        return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static Uint32 uint32(long value) {
        return Uint32.valueOf(value);
    }

    static Uint64 uint64(long value) {
        return Uint64.valueOf(value);
    }

    /** Null, which is absent in the answer, for none. */
    static Uint64 uint64(OptionalLong value) {
        return value.isPresent() ? uint64(value.getAsLong()) : null;
    }

    static Gbps gbps(double value) {
        return of(value, Gbps::new);
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

    /** Null, which is absent in the answer, for what is without limit. */
    private static <T> T of(double value, Function<Decimal64, T> type) {
        return Double.isInfinite(value) ? null : type.apply(
            Decimal64.valueOf(BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP)).scaleTo(DIGITS));
    }
}
