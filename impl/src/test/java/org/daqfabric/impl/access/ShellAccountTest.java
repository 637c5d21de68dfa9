package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell's file of users has an account after the first start, and none with a known password. */
class ShellAccountTest {
    private static final String GROUPS = "# users\n_g_\\:admingroup = group,admin,ssh\n";

    @Test
    void oneIsMadeWhereThereIsNone() {
        assertThat(ShellAccount.withAccount(GROUPS, "new")).hasValue(GROUPS + "karaf = new,_g_:admingroup\n");
    }

    @Test
    void theKnownPasswordIsReplaced() {
        assertThat(ShellAccount.withAccount("anna = x,admin\nkaraf = karaf,_g_:admingroup\n" + GROUPS, "new"))
            .hasValue("anna = x,admin\nkaraf = new,_g_:admingroup\n" + GROUPS);
        assertThat(ShellAccount.withAccount("karaf=karaf", "new")).hasValue("karaf=new");
    }

    @Test
    void othersAreKept() {
        for (String file : new String[] { "karaf = other,admin\n", "anna = karaf,admin\n" + GROUPS,
            "karaf = karaf1,admin\n" }) {
            assertThat(ShellAccount.withAccount(file, "new")).isEmpty();
        }
    }

    @Test
    void theFileIsForItsOwner(@TempDir Path folder) throws IOException {
        Path users = Files.writeString(folder.resolve("users.properties"), GROUPS);
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-r--r--"));
        new ShellAccount(users);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(users))).isEqualTo("rw-r-----");
        String made = Files.readString(users);
        assertThat(made).containsPattern("(?m)^karaf = [A-Za-z0-9_-]{24},_g_:admingroup$");
        new ShellAccount(users);
        assertThat(users).hasContent(made);
    }
}
