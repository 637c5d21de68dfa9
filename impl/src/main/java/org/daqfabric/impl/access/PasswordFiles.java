package org.daqfabric.impl.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The passwords that accounts were made with: a file for each, which its owner alone may read, in the form that {@code
 * curl -K} reads. One that is there before its account says what the password is to be.
 *
 * @param folder made when the first file is written
 */
record PasswordFiles(Path folder) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 18;

    /** A password that nobody guesses, of characters that need no quoting anywhere. */
    static String random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What the file of an account says, if there is one. */
    Optional<String> read(String account) throws IOException {
        Path file = folder.resolve(account);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Matcher line = Pattern.compile("(?m)^user = \"" + Pattern.quote(account) + ":(.+)\"$")
            .matcher(Files.readString(file));
        if (!line.find()) {
            throw new IOException(file + " has no line  user = \"" + account + ":PASSWORD\"");
        }
        return Optional.of(line.group(1));
    }

    void delete(String account) throws IOException {
        Files.deleteIfExists(folder.resolve(account));
    }

    /** What the file says, or else a new password, which is in the file then. */
    String readOrMake(String account) throws IOException {
        Optional<String> given = read(account);
        if (given.isPresent()) {
            return given.get();
        }
        Files.createDirectories(folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = Files.createFile(folder.resolve(account),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        String made = random();
        Files.writeString(file, "user = \"" + account + ':' + made + "\"\n");
        return made;
    }
}
