package org.daqfabric.impl.northbound;

import java.util.Locale;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Policy.Algorithm;
import org.daqfabric.api.spec.Policy.Backend;
import org.daqfabric.api.spec.Policy.Return;
import org.daqfabric.api.spec.Policy.RingsOn;
import org.daqfabric.api.spec.Policy.Rules;
import org.opendaylight.yangtools.binding.EnumTypeObject;

/**
 * Enumerations of YANG as ours, and null as the default. Both sides have the same names, {@code at-once} being
 * {@code AT_ONCE}; a test holds them together.
 */
final class Enums {
    private Enums() {
    }

    static AdminState adminState(EnumTypeObject value) {
        return of(value, AdminState.IN_SERVICE);
    }

    static DatapathType datapathType(EnumTypeObject value) {
        return of(value, DatapathType.NETDEV);
    }

    static Algorithm algorithm(EnumTypeObject value) {
        return of(value, Algorithm.WATERFILLING);
    }

    static Return onReturn(EnumTypeObject value) {
        return of(value, Return.BETWEEN_RUNS);
    }

    static RingsOn ringsOn(EnumTypeObject value) {
        return of(value, RingsOn.ALL_SWITCHES);
    }

    static Backend backend(EnumTypeObject value) {
        return of(value, Backend.DAQRING);
    }

    static Rules rules(EnumTypeObject value) {
        return of(value, Rules.HOST);
    }

    /** One of our enumerations by what YANG says; the given one if it says nothing. */
    static <E extends Enum<E>> E ours(EnumTypeObject value, E otherwise) {
        return of(value, otherwise);
    }

    /** One of our enumerations by the name YANG gives it. */
    static String yang(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> E of(EnumTypeObject value, E otherwise) {
        return value == null ? otherwise : Enum.valueOf(otherwise.getDeclaringClass(),
            value.getName().toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
