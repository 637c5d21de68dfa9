package org.daqfabric.impl.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.aaa.api.StoreBuilder;
import org.opendaylight.aaa.api.model.User;
import org.opendaylight.aaa.datastore.h2.H2Store;
import org.opendaylight.aaa.datastore.h2.IdmLightConfig;
import org.opendaylight.aaa.datastore.h2.IdmLightConfigBuilder;
import org.opendaylight.aaa.datastore.h2.IdmLightSimpleConnectionProvider;
import org.opendaylight.aaa.impl.password.service.DefaultPasswordHashService;
import org.opendaylight.controller.cluster.ActorSystemProvider;

/** Rows of one of AAA's own databases are those of another. */
class LocalUsersTest {
    private final DefaultPasswordHashService hashes = new DefaultPasswordHashService();
    private final List<String> cleared = new ArrayList<>();
    /** While there is one its database stays open, which takes AAA a tenth of a second each time. */
    private final List<Connection> kept = new ArrayList<>();
    @TempDir
    private Path folder;
    private H2Store from;
    private H2Store to;
    private LocalUsers source;
    private LocalUsers target;

    @BeforeEach
    void open() throws Exception {
        from = store("from");
        to = store("to");
        source = new LocalUsers(from, new HashedUsers(database("from")), () -> { });
        target = new LocalUsers(to, new HashedUsers(database("to")), () -> cleared.add("cleared"));
        new StoreBuilder(from).initWithDefaultUsers("sdn");
    }

    private IdmLightConfig database(String name) {
        return new IdmLightConfigBuilder().dbUser("foo").dbPwd("bar").dbDirectory(folder.resolve(name).toString())
            .build();
    }

    private H2Store store(String name) throws Exception {
        IdmLightSimpleConnectionProvider database = new IdmLightSimpleConnectionProvider(database(name));
        kept.add(database.getConnection());
        return new H2Store(database, hashes);
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection each : kept) {
            each.close();
        }
    }

    private void copy() throws Exception {
        Map<RowId, Row> wanted = source.read(Set.of());
        Map<RowId, Row> rows = target.read(Set.of());
        for (RowChange change : Ledger.first(rows, "member-1", 1).observed(rows, wanted, "member-1", 2).changes(rows)) {
            target.apply(change);
        }
        assertThat(target.read(Set.of())).isEqualTo(wanted).isNotEmpty();
    }

    private boolean logsIn(String id, String password) throws Exception {
        User user = to.readUser(id);
        return hashes.passwordsMatch(password, user.getPassword(), user.getSalt());
    }

    private void setPassword(String id, String password) throws Exception {
        User user = new User();
        user.setUserid(id);
        user.setPassword(password);
        from.updateUser(user);
    }

    @Test
    void passwordsRolesAndDeletionsAreTakenOver() throws Exception {
        copy();
        assertThat(logsIn("admin@sdn", "admin")).isTrue();
        assertThat(to.getGrants("admin@sdn").getGrants()).hasSize(2);
        cleared.clear();

        setPassword("admin@sdn", "another");
        copy();
        assertThat(cleared).isNotEmpty();
        assertThat(logsIn("admin@sdn", "another")).isTrue();
        assertThat(logsIn("admin@sdn", "admin")).isFalse();

        new StoreBuilder(from).deleteUser("sdn", "admin");
        copy();
        assertThat(to.readUser("admin@sdn")).isNull();

        // with another salt, which is made anew with a user
        new StoreBuilder(from).createUser("sdn", "admin", "third", false);
        copy();
        assertThat(logsIn("admin@sdn", "third")).isTrue();
        new StoreBuilder(from).deleteUser("sdn", "admin");
        new StoreBuilder(from).createUser("sdn", "admin", "fourth", true);
        copy();
        assertThat(logsIn("admin@sdn", "fourth")).isTrue();
        assertThat(to.getGrants("admin@sdn").getGrants()).hasSize(2);
    }

    /** AAA keeps the roles of a deleted user. */
    @Test
    void rolesOfWhoIsMissingAreRead() throws Exception {
        from.deleteUser("admin@sdn");
        assertThat(source.read(Set.of()).keySet()).noneMatch(id -> id.kind() == Kind.GRANT);
        assertThat(source.read(Set.of("admin@sdn")).keySet()).filteredOn(id -> id.kind() == Kind.GRANT).hasSize(2);
    }

    /** A controller that is killed after AAA's answer has the user when it starts again, though another logs in. */
    @Test
    void usersAreWrittenBeforeAnAnswer() throws Exception {
        UserSharing alone = new UserSharing(from, new HashedUsers(database("from")), () -> { }, null, null,
            mock(ActorSystemProvider.class));
        try (var login = new IdmLightSimpleConnectionProvider(database("from")).getConnection()) {
            // once it has the database open
            AtomicInteger number = new AtomicInteger();
            await().pollDelay(Duration.ZERO).until(() -> isWritten("anna" + number.incrementAndGet()));
            assertThat(isWritten("bert")).isTrue();
            assertThat(login.isClosed()).isFalse();
        } finally {
            alone.close();
        }
    }

    /** Makes a user, and looks into the file as it is at that moment. */
    private boolean isWritten(String user) throws Exception {
        new StoreBuilder(from).createUser("sdn", user, "secret", false);
        Files.createDirectories(folder.resolve(user));
        Files.copy(folder.resolve("from/idmlight.db.mv.db"), folder.resolve(user + "/idmlight.db.mv.db"));
        return store(user).readUser(user + "@sdn") != null;
    }
}
