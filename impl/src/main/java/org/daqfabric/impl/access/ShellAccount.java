package org.daqfabric.impl.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the shell an account where it has none, or one with the password that Karaf ships: {@code karaf}, with a
 * password of its own in Karaf's file of users, where {@code bin/client} finds it. Only where the distribution's
 * settings ask for it.
 */
@Component(service = { }, immediate = true, configurationPid = "org.daqfabric.accounts",
    configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class ShellAccount {
    private static final Logger LOG = LoggerFactory.getLogger(ShellAccount.class);
    private static final Pattern SHIPPED = Pattern.compile("(?m)^(\\s*karaf\\s*=\\s*)karaf(?=\\s*(,|$))");
    private static final Pattern USER = Pattern.compile("(?m)^\\s*(?!_g_)[^#!\\s]");
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(PosixFilePermission.OTHERS_READ,
        PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    private final Path users;

    @Activate
    public ShellAccount() {
        this(Path.of(System.getProperty("karaf.etc"), "users.properties"));
    }

    ShellAccount(Path users) {
        this.users = users;
        make();
    }

    private void make() {
        try {
            Optional<String> changed = withAccount(Files.readString(users), PasswordFiles.random());
            if (changed.isPresent()) {
                Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(users));
                permissions.removeAll(OTHERS);
                Files.setPosixFilePermissions(users, permissions);
                write(changed.get());
                LOG.info("the shell has the account karaf: its password is in {}", users);
            }
        } catch (IOException e) {
            LOG.error("the shell has no account, or one with the password karaf: {} could not be changed", users, e);
        }
    }

    /**
     * In one step over what is there, so that the file has its groups whenever the controller is killed. Not by another
     * file in its place, which would not be that of a package or of a mount.
     */
    private void write(String text) throws IOException {
        try (FileChannel channel = FileChannel.open(users, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.truncate(bytes.limit());
        }
    }

    /** The file with the account; empty if it has accounts, none of which has the password that is shipped. */
    static Optional<String> withAccount(String file, String password) {
        if (SHIPPED.matcher(file).find()) {
            return Optional.of(SHIPPED.matcher(file).replaceAll("$1" + password));
        }
        return USER.matcher(file).find() ? Optional.empty()
            : Optional.of(file.stripTrailing() + "\nkaraf = " + password + ",_g_:admingroup\n");
    }
}
