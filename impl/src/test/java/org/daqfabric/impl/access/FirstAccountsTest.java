package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opendaylight.aaa.api.IDMStoreException;
import org.opendaylight.aaa.api.StoreBuilder;
import org.opendaylight.aaa.api.model.Grant;
import org.opendaylight.aaa.api.model.User;
import org.opendaylight.aaa.datastore.h2.H2Store;
import org.opendaylight.aaa.datastore.h2.IdmLightConfigBuilder;
import org.opendaylight.aaa.datastore.h2.IdmLightSimpleConnectionProvider;
import org.opendaylight.aaa.impl.password.service.DefaultPasswordHashService;

/** After the first start nobody has a known password, whoever makes the first account. AAA's own store. */
class FirstAccountsTest {
    private final DefaultPasswordHashService hashes = new DefaultPasswordHashService();
    private final List<String> cleared = new ArrayList<>();
    private final Deque<Runnable> retries = new ArrayDeque<>();
    @TempDir
    private Path folder;
    private final Logins logins = new Logins();
    private H2Store store;
    /** While there is one the database stays open, which takes AAA a tenth of a second each time. */
    private Connection kept;
    private PasswordFiles files;

    @BeforeEach
    void open() throws Exception {
        IdmLightSimpleConnectionProvider database = new IdmLightSimpleConnectionProvider(new IdmLightConfigBuilder()
            .dbUser("foo").dbPwd("bar").dbDirectory(folder.toString()).build());
        kept = database.getConnection();
        store = new H2Store(database, hashes);
        files = new PasswordFiles(folder.resolve("accounts"));
    }

    @AfterEach
    void close() throws SQLException {
        kept.close();
    }

    private FirstAccounts start() {
        return new FirstAccounts(store, hashes, () -> cleared.add("cleared"), logins, files, retries::add);
    }

    private boolean logsIn(String name, String password) throws IDMStoreException {
        User user = store.readUser(name + "@sdn");
        return hashes.passwordsMatch(password, user.getPassword(), user.getSalt());
    }

    private List<String> roles(String name) throws IDMStoreException {
        return store.getGrants("sdn", name + "@sdn").getGrants().stream().map(Grant::getRoleid).toList();
    }

    @Test
    void oneForEachRole() throws Exception {
        start();
        for (UserRole role : UserRole.values()) {
            String name = role.text();
            assertThat(logsIn(name, files.read(name).orElseThrow())).as(name).isTrue();
            assertThat(logsIn(name, name)).as(name).isFalse();
            assertThat(roles(name)).containsExactly(name + "@sdn");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.folder().resolve(name))))
                .isEqualTo("rw-------");
        }
        // AAA adds nothing
        new StoreBuilder(store).initWithDefaultUsers("sdn");
        assertThat(store.getUsers().getUsers()).hasSize(UserRole.values().length);
    }

    /** AAA was first, or an installation is updated whose administrator has not changed the password. */
    @Test
    void theKnownPasswordIsReplaced() throws Exception {
        new StoreBuilder(store).initWithDefaultUsers("sdn");
        assertThat(logsIn("admin", "admin")).isTrue();
        start();
        assertThat(logsIn("admin", "admin")).isFalse();
        assertThat(logsIn("admin", files.read("admin").orElseThrow())).isTrue();
        assertThat(cleared).isNotEmpty();
        assertThat(roles("admin")).contains("admin@sdn");
        assertThat(logsIn("viewer", files.read("viewer").orElseThrow())).isTrue();
    }

    @Test
    void whatWasChangedStays() throws Exception {
        start();
        User changed = new User();
        changed.setUserid("admin@sdn");
        changed.setPassword("another");
        store.updateUser(changed);
        store.deleteUser("scraper@sdn");
        start();
        assertThat(logsIn("admin", "another")).isTrue();
        assertThat(store.readUser("scraper@sdn")).isNull();
    }

    @Test
    void passwordsMayBeGiven() throws Exception {
        Files.createDirectories(files.folder());
        Files.writeString(files.folder().resolve("admin"), "user = \"admin:admin\"\n");
        Files.writeString(files.folder().resolve("viewer"), "user = \"viewer:given\"\n");
        start();
        assertThat(logsIn("admin", "admin")).isTrue();
        assertThat(logsIn("viewer", "given")).isTrue();
        start();
        assertThat(logsIn("admin", "admin")).isTrue();
    }

    /** A full disk or an editor has left it so; the password that all know must not stand because of that. */
    @ParameterizedTest
    @ValueSource(strings = { "", "admin:secret\n", "user = \"viewer:secret\"\n" })
    void aFileThatSaysNothing(String text) throws Exception {
        new StoreBuilder(store).initWithDefaultUsers("sdn");
        Files.createDirectories(files.folder());
        Files.writeString(files.folder().resolve("admin"), text);
        start();
        assertThat(logsIn("admin", "admin")).isFalse();
        assertThat(logsIn("admin", files.read("admin").orElseThrow())).isTrue();
        assertThat(files.folder().resolve("admin.invalid")).hasContent(text);
        assertThat(logins.keepsOut("admin@sdn")).isFalse();
        assertThat(retries).isEmpty();
    }

    /** Nobody is let in with the password that all know while no other can be kept. */
    @Test
    void aFolderThatCannotBeWritten() throws Exception {
        new StoreBuilder(store).initWithDefaultUsers("sdn");
        Files.writeString(files.folder(), "no folder");
        start();
        assertThat(logins.keepsOut("admin@sdn")).isTrue();
        assertThat(logins.keepsOut("viewer@sdn")).isFalse();
        assertThat(logins.unstored()).startsWith("in " + files.folder() + ": ");
        retries.remove().run();
        assertThat(logins.keepsOut("admin@sdn")).isTrue();
        Files.delete(files.folder());
        retries.remove().run();
        assertThat(logins.unstored()).isEmpty();
        assertThat(logins.keepsOut("admin@sdn")).isFalse();
        assertThat(logsIn("admin", "admin")).isFalse();
        assertThat(logsIn("admin", files.read("admin").orElseThrow())).isTrue();
        for (UserRole role : UserRole.values()) {
            assertThat(logsIn(role.text(), files.read(role.text()).orElseThrow())).as(role.text()).isTrue();
        }
        assertThat(retries).isEmpty();
    }

    /** A full disk may keep anything from being written; the next try makes what is missing. */
    @ParameterizedTest
    @ValueSource(strings = { "user", "grant", "role" })
    void whatWasMadeInPartIsCompleted(String failing) throws Exception {
        store = spy(store);
        H2Store full = doThrow(new IDMStoreException("full")).doCallRealMethod().when(store);
        switch (failing) {
            case "user" -> full.writeUser(any());
            case "grant" -> full.writeGrant(any());
            default -> full.writeRole(any());
        }
        start();
        assertThat(logins.keepsOut("admin@sdn")).isTrue();
        retries.remove().run();
        assertThat(logins.keepsOut("admin@sdn")).isFalse();
        for (UserRole role : UserRole.values()) {
            String name = role.text();
            assertThat(logsIn(name, files.read(name).orElseThrow())).as(name).isTrue();
            assertThat(roles(name)).containsExactly(name + "@sdn");
        }
    }

    /** Where members of a cluster share their users, the password of another one counts. */
    @Test
    void aFileThatIsNotTrueAnyMoreIsDeleted() throws Exception {
        FirstAccounts accounts = start();
        accounts.changedElsewhere("viewer@sdn", "member-1");
        assertThat(files.read("viewer")).isPresent();
        User changed = new User();
        changed.setUserid("viewer@sdn");
        changed.setPassword("of member-1");
        store.updateUser(changed);
        accounts.changedElsewhere("viewer@sdn", "member-1");
        assertThat(files.read("viewer")).isEmpty();
        store.deleteUser("scraper@sdn");
        accounts.changedElsewhere("scraper@sdn", "member-1");
        assertThat(files.read("scraper")).isEmpty();
        assertThat(files.read("admin")).isPresent();
        Files.writeString(folder.resolve("another"), "user = \"another:x\"");
        accounts.changedElsewhere("../another@sdn", "member-1");
        assertThat(folder.resolve("another")).exists();
    }
}
