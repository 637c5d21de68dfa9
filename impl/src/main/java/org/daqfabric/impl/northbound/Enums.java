package org.daqfabric.impl.northbound;

import java.util.Locale;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Policy.Algorithm;
import org.daqfabric.api.spec.Policy.Backend;
import org.daqfabric.api.spec.Policy.Granularity;
import org.daqfabric.api.spec.Policy.Return;
import org.daqfabric.api.spec.Policy.RingsOn;
import org.daqfabric.api.spec.Policy.Rules;
import org.opendaylight.yangtools.binding.EnumTypeObject;

/**
 * Enumerations of YANG as those of {@code api}, with null as the default. Both sides have the same names, such as
 * {@code at-once} and {@code AT_ONCE}; a test compares them.
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

    static Granularity granularity(EnumTypeObject value) {
        return of(value, Granularity.DCM);
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

    /** The value with the same name as the one of YANG; the given one if the leaf is absent. */
    static <E extends Enum<E>> E ours(EnumTypeObject value, E otherwise) {
        return of(value, otherwise);
    }

    /** The name that YANG gives a value. */
    static String yang(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> E of(EnumTypeObject value, E otherwise) {
        return value == null ? otherwise : Enum.valueOf(otherwise.getDeclaringClass(),
            value.getName().toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
