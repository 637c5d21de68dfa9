package org.daqfabric.impl.openflow;

import io.netty.channel.Channel;
import java.lang.reflect.Field;
import java.util.Arrays;
import org.opendaylight.openflowjava.protocol.api.connection.ConnectionAdapter;

/**
 * The channel of a connection, which OpenDaylight's OpenFlow library keeps to itself. The name is that of openflowjava
 * 0.20.1; a test tells whether another version has it.
 */
final class LibraryChannel {
    private static final String NAME = "channel";

    private LibraryChannel() {
    }

    /** Fails if this version of the library names it otherwise. */
    static Channel of(final ConnectionAdapter connection) {
        try {
            return (Channel) field(connection.getClass()).get(connection);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the OpenFlow library has no channel that can be guarded", e);
        }
    }

    private static Field field(final Class<?> connection) throws NoSuchFieldException {
        for (Class<?> each = connection; each != null; each = each.getSuperclass()) {
            if (Arrays.stream(each.getDeclaredFields()).anyMatch(field -> field.getName().equals(NAME))) {
                final var found = each.getDeclaredField(NAME);
                found.setAccessible(true);
                return found;
            }
        }
        throw new NoSuchFieldException(NAME);
    }
}
