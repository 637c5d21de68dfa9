package org.daqfabric.journal;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Predicate;

/** Loads classes anew, one of them with code that is tried, and all others as usual. */
final class ExchangedClass extends ClassLoader {
    private final String name;
    private final byte[] code;
    private final Predicate<String> anew;

    /**
     * Has loaded nothing yet.
     *
     * @param code that of the class with that name
     * @param anew the names of what is loaded anew, with that class among it
     */
    ExchangedClass(String name, byte[] code, Predicate<String> anew) {
        super(ExchangedClass.class.getClassLoader());
        this.name = name;
        this.code = code.clone();
        this.anew = anew;
    }

    /** The code of a class as OpenDaylight has it. */
    static byte[] original(String name) throws IOException {
        try (InputStream code = ExchangedClass.class.getResourceAsStream('/' + name.replace('.', '/') + ".class")) {
            return code.readAllBytes();
        }
    }

    @Override
    protected Class<?> loadClass(String each, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(each)) {
            if (!anew.test(each)) {
                return super.loadClass(each, resolve);
            }
            Class<?> loaded = findLoadedClass(each);
            return loaded != null ? loaded : defined(each);
        }
    }

    private Class<?> defined(String each) throws ClassNotFoundException {
        try {
            byte[] read = each.equals(name) ? code : original(each);
            return defineClass(each, read, 0, read.length);
        } catch (IOException | NullPointerException e) {
            throw new ClassNotFoundException(each, e);
        }
    }
}
