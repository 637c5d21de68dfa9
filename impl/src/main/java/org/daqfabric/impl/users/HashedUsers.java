package org.daqfabric.impl.users;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.opendaylight.aaa.api.IDMStoreException;
import org.opendaylight.aaa.api.IIDMStore;
import org.opendaylight.aaa.api.model.User;
import org.opendaylight.aaa.api.password.service.PasswordHash;
import org.opendaylight.aaa.api.password.service.PasswordHashService;
import org.opendaylight.aaa.datastore.h2.H2Store;
import org.opendaylight.aaa.datastore.h2.IdmLightConfig;
import org.opendaylight.aaa.datastore.h2.IdmLightConfigBuilder;
import org.opendaylight.aaa.datastore.h2.IdmLightSimpleConnectionProvider;
import org.opendaylight.aaa.datastore.h2.StoreException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * Writes users whose password is known by its hash alone. AAA's store hashes every password that it is given; for each
 * user it is opened here once more, with a hash function that returns the hash that is to be stored.
 */
@Component(service = HashedUsers.class, configurationPid = "org.opendaylight.aaa.h2")
public final class HashedUsers {
    private final IdmLightConfig database;

    /** Opens the database as AAA's own component does, which has the same settings. */
    @Activate
    public HashedUsers(H2Store.Configuration settings) {
        this(new IdmLightConfigBuilder().dbUser(settings.username()).dbPwd(settings.password()).build());
    }

    HashedUsers(IdmLightConfig database) {
        this.database = database;
    }

    /**
     * Keeps the database open until the connection is closed. AAA opens it for each question and closes it after the
     * answer, which takes a tenth of a second and more; while it is open that takes a millisecond.
     */
    Connection keepOpen() throws IDMStoreException {
        try {
            Connection open = new IdmLightSimpleConnectionProvider(database).getConnection();
            try (Statement settings = open.createStatement()) {
                // What was changed is written when AAA answers, as it was when the database was closed after it:
                // otherwise it lies in memory for half a second. H2 keeps the setting, but does not follow it when the
                // database is opened again.
                settings.execute("SET WRITE_DELAY 0");
            } catch (SQLException e) {
                open.close();
                throw e;
            }
            return open;
        } catch (StoreException | SQLException e) {
            throw new IDMStoreException(e);
        }
    }

    /** Writes a user who may be there already. */
    void write(String id, Row row) throws IDMStoreException {
        IIDMStore store = new H2Store(new IdmLightSimpleConnectionProvider(database),
            new Given(row.get(Row.PASSWORD), row.get(Row.SALT)));
        User before = store.readUser(id);
        boolean isNew = before == null || !before.getSalt().equals(row.get(Row.SALT));
        if (before != null && isNew) {
            store.deleteUser(id); // an update leaves the salt as it is
        }
        User user = new User();
        user.setUserid(id);
        user.setName(row.get(Row.NAME));
        user.setDomainid(row.get(Row.DOMAIN));
        user.setDescription(row.get(Row.DESCRIPTION));
        user.setEmail(row.get(Row.EMAIL));
        user.setEnabled(row.isEnabled());
        user.setPassword(row.get(Row.PASSWORD));
        if (isNew) {
            store.writeUser(user);
        } else {
            store.updateUser(user);
        }
    }

    /** Hashes every password to the same. */
    private record Given(String hash, String salt) implements PasswordHashService, PasswordHash {
        @Override
        public PasswordHash getPasswordHash(String password) {
            return this;
        }

        @Override
        public PasswordHash getPasswordHash(String password, String usedSalt) {
            return this;
        }

        @Override
        public boolean passwordsMatch(String plaintext, String stored, String usedSalt) {
            return false;
        }

        @Override
        public String getAlgorithmName() {
            return "given";
        }

        @Override
        public String getSalt() {
            return salt;
        }

        @Override
        public int getIterations() {
            return 1;
        }

        @Override
        public String getHashedPassword() {
            return hash;
        }
    }
}
