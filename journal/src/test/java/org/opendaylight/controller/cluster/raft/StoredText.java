package org.opendaylight.controller.cluster.raft;

import java.io.Serial;
import java.io.Serializable;
import org.opendaylight.controller.cluster.raft.spi.AbstractStateCommand;

/** What tests store in a journal. It is here since what loads OpenDaylight's classes anew loads this with them. */
public final class StoredText extends AbstractStateCommand {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String text;

    public StoredText(String text) {
        this.text = text;
    }

    @Override
    public int size() {
        return text.length();
    }

    @Override
    public int serializedSize() {
        return text.length();
    }

    @Override
    protected Object writeReplace() {
        return new Serialized(text);
    }

    @Override
    public String toString() {
        return text;
    }

    /** A text in a journal. */
    private record Serialized(String text) implements Serializable {
        @Serial
        private Object readResolve() {
            return new StoredText(text);
        }
    }
}
