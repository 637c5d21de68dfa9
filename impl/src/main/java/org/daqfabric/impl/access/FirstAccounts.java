package org.daqfabric.impl.access;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.opendaylight.aaa.api.ClaimCache;
import org.opendaylight.aaa.api.IDMStoreException;
import org.opendaylight.aaa.api.IDMStoreUtil;
import org.opendaylight.aaa.api.IIDMStore;
import org.opendaylight.aaa.api.model.Domain;
import org.opendaylight.aaa.api.model.Grant;
import org.opendaylight.aaa.api.model.Role;
import org.opendaylight.aaa.api.model.User;
import org.opendaylight.aaa.api.password.service.PasswordHashService;
import org.opendaylight.aaa.shiro.web.env.AAAShiroWebEnvironment;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an account for each role, with passwords that nobody knows yet, at the first start; and sees to it that the
 * account that AAA makes by itself does not keep its known password. Only where the distribution's settings ask for it:
 * the accounts of somebody's own OpenDaylight are theirs.
 *
 * <p>AAA makes its account when its store is new, at about the same time. What was made first stands; once the login is
 * there AAA has done it, and it is looked at again.
 */
@Component(service = FirstAccounts.class, immediate = true, configurationPid = "org.daqfabric.accounts",
    configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class FirstAccounts {
    private static final Logger LOG = LoggerFactory.getLogger(FirstAccounts.class);
    private static final String DOMAIN = IIDMStore.DEFAULT_DOMAIN;
    /** That of AAA's own account. */
    private static final String KNOWN = "admin";

    private final IIDMStore store;
    private final PasswordHashService hashes;
    private final ClaimCache logins;
    private final PasswordFiles files;

    @Activate
    public FirstAccounts(@Reference IIDMStore store, @Reference PasswordHashService hashes,
            @Reference ClaimCache logins) {
        this(store, hashes, logins, new PasswordFiles(Path.of(System.getProperty("karaf.data"), "accounts")));
    }

    FirstAccounts(IIDMStore store, PasswordHashService hashes, ClaimCache logins, PasswordFiles files) {
        this.store = store;
        this.hashes = hashes;
        this.logins = logins;
        this.files = files;
        make();
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindEnvironment(AAAShiroWebEnvironment environment) {
        make();
    }

    void unbindEnvironment(AAAShiroWebEnvironment environment) {
        // nothing was taken from it
    }

    /** Makes what is missing by now, if AAA has been at work since. */
    public synchronized void make() {
        try {
            List<String> made = new ArrayList<>();
            if (store.readDomain(DOMAIN) == null) {
                Domain domain = new Domain();
                domain.setName(DOMAIN);
                domain.setDescription("OpenDaylight's default domain");
                domain.setEnabled(true);
                store.writeDomain(domain);
            }
            for (UserRole role : UserRole.values()) {
                if (makeRole(role) && read(role).isEmpty()) {
                    write(role);
                    made.add(role.text());
                }
            }
            if (replaceKnown()) {
                made.add(KNOWN);
            }
            if (!made.isEmpty()) {
                LOG.info("made the accounts {}: their passwords are in {}, one file for each, which its owner may read",
                    made, files.folder());
            }
        } catch (IDMStoreException | IOException e) {
            LOG.error("accounts could not be made in {}", files.folder(), e);
        }
    }

    /**
     * Another member of the cluster has changed or deleted an account. If its password is another one now than its file
     * says, the file is deleted, so that nobody takes it for the password.
     *
     * @param member where the password is known
     */
    public synchronized void changedElsewhere(String userid, String member) {
        try {
            for (UserRole role : UserRole.values()) {
                if (userid.equals(IDMStoreUtil.createUserid(role.text(), DOMAIN))) {
                    Optional<String> password = files.read(role.text());
                    Optional<User> user = read(role);
                    if (password.isPresent() && user.filter(known -> hashes.passwordsMatch(password.get(),
                        known.getPassword(), known.getSalt())).isEmpty()) {
                        files.delete(role.text());
                        LOG.info("account {} has the password that it was given at {}: its file in {} is deleted here",
                            role.text(), member, files.folder());
                    }
                }
            }
        } catch (IDMStoreException | IOException e) {
            LOG.error("{} may still have the former password of {}", files.folder(), userid, e);
        }
    }

    /** Whether it is new; an account of a role that is not new is missing because somebody deleted it. */
    private boolean makeRole(UserRole role) throws IDMStoreException {
        if (store.readRole(IDMStoreUtil.createRoleid(role.text(), DOMAIN)) != null) {
            return false;
        }
        Role made = new Role();
        made.setName(role.text());
        made.setDomainid(DOMAIN);
        made.setDescription("daqfabric: " + role.text());
        store.writeRole(made);
        return true;
    }

    private Optional<User> read(UserRole role) throws IDMStoreException {
        return Optional.ofNullable(store.readUser(IDMStoreUtil.createUserid(role.text(), DOMAIN)));
    }

    private void write(UserRole role) throws IDMStoreException, IOException {
        User user = new User();
        user.setName(role.text());
        user.setDomainid(DOMAIN);
        user.setDescription("made at the first start");
        user.setEmail("");
        user.setEnabled(true);
        user.setPassword(files.readOrMake(role.text()));
        store.writeUser(user);
        Grant grant = new Grant();
        grant.setDomainid(DOMAIN);
        grant.setUserid(IDMStoreUtil.createUserid(role.text(), DOMAIN));
        grant.setRoleid(IDMStoreUtil.createRoleid(role.text(), DOMAIN));
        store.writeGrant(grant);
    }

    /** Whether the administrator had the password that AAA gives, and has another one now. */
    private boolean replaceKnown() throws IDMStoreException, IOException {
        Optional<User> admin = read(UserRole.ADMIN)
            .filter(user -> hashes.passwordsMatch(KNOWN, user.getPassword(), user.getSalt()));
        if (admin.isEmpty()) {
            return false;
        }
        String password = files.readOrMake(KNOWN);
        if (password.equals(KNOWN)) {
            return false; // as whoever set up this controller wants it
        }
        User changed = new User();
        changed.setUserid(admin.get().getUserid());
        changed.setPassword(password);
        store.updateUser(changed);
        logins.clear();
        return true;
    }
}
