package org.daqfabric.impl.author;

import java.util.Optional;

/**
 * Who writes, and why.
 *
 * @param user empty if that is not known for certain
 * @param reason in the user's words; empty if none was given
 */
public record Author(Optional<String> user, Optional<String> reason) {
    public static final Author UNKNOWN = new Author(Optional.empty(), Optional.empty());
    private static final String UNKNOWN_USER = "unknown";
    private static final ThreadLocal<Author> CURRENT = new ThreadLocal<>();

    /** Whose request the present thread works on; unknown if it works on none. */
    public static Author current() {
        Author author = CURRENT.get();
        return author == null ? UNKNOWN : author;
    }

    /** Work that may throw what requests throw. */
    public interface Work<X extends Exception, Y extends Exception> {
        void run() throws X, Y;
    }

    /** Does work as this author, on the present thread. */
    <X extends Exception, Y extends Exception> void runs(Work<X, Y> work) throws X, Y {
        CURRENT.set(this);
        try {
            work.run();
        } finally {
            CURRENT.remove();
        }
    }

    public boolean isKnown() {
        return user.isPresent();
    }

    /** The same user with a reason; the given one only if there is none yet. */
    public Author orReason(String otherwise) {
        return reason.isPresent() ? this : new Author(user, Optional.of(otherwise));
    }

    /** The user for a person to read. */
    public String userText() {
        return userText(user);
    }

    /** A user, or that none is known, for a person to read. */
    public static String userText(Optional<String> user) {
        return user.orElse(UNKNOWN_USER);
    }
}
