package org.daqfabric.impl.access;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
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
import org.osgi.service.component.annotations.Deactivate;
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
    private static final long RETRY_SECONDS = 5;
    private static final String MADE = "made at the first start";

    private final IIDMStore store;
    private final PasswordHashService hashes;
    private final ClaimCache logins;
    private final PasswordFiles files;
    private final Executor later;
    private final Logins known;
    private volatile boolean closed;

    @Activate
    public FirstAccounts(@Reference IIDMStore store, @Reference PasswordHashService hashes,
            @Reference ClaimCache logins, @Reference Logins known) {
        this(store, hashes, logins, known, new PasswordFiles(Path.of(System.getProperty("karaf.data"), "accounts")),
            CompletableFuture.delayedExecutor(RETRY_SECONDS, TimeUnit.SECONDS));
    }

    FirstAccounts(IIDMStore store, PasswordHashService hashes, ClaimCache logins, Logins known, PasswordFiles files,
            Executor later) {
        this.store = store;
        this.hashes = hashes;
        this.logins = logins;
        this.known = known;
        this.files = files;
        this.later = later;
        make();
    }

    @Deactivate
    void close() {
        closed = true;
        known.unstored("");
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
                if (store.readRole(IDMStoreUtil.createRoleid(role.text(), DOMAIN)) != null) {
                    continue; // an account that is missing then was deleted by somebody
                }
                if (read(role).isEmpty()) {
                    write(role, files.readOrMake(role.text()));
                    made.add(role.text());
                }
                // the role last: what a full disk has kept from being written is made at the next try
                if (read(role).filter(user -> MADE.equals(user.getDescription())).isPresent()) {
                    grant(role);
                }
                makeRole(role);
            }
            if (replaceKnown()) {
                made.add(Logins.KNOWN);
            }
            if (!made.isEmpty()) {
                LOG.info("made the accounts {}: their passwords are in {}, one file for each, which its owner may read",
                    made, files.folder());
            }
            if (!known.unstored().isEmpty()) {
                LOG.info("accounts could be made now");
            }
            known.unstored("");
        } catch (IDMStoreException | IOException e) {
            if (known.unstored().isEmpty()) {
                LOG.error("accounts could not be made in {}: {} cannot log in until they are, which is tried again"
                    + " every {} s; free space on its disk, or correct its owner and mode", files.folder(),
                    Logins.KNOWN, RETRY_SECONDS, e);
            }
            known.unstored("in " + files.folder() + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            later.execute(this::makeAgain);
        }
    }

    private void makeAgain() {
        if (!closed) {
            make();
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
                    if (password.isPresent() && user.filter(now -> hashes.passwordsMatch(password.get(),
                        now.getPassword(), now.getSalt())).isEmpty()) {
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

    private void makeRole(UserRole role) throws IDMStoreException {
        Role made = new Role();
        made.setName(role.text());
        made.setDomainid(DOMAIN);
        made.setDescription("daqfabric: " + role.text());
        store.writeRole(made);
    }

    private Optional<User> read(UserRole role) throws IDMStoreException {
        return Optional.ofNullable(store.readUser(IDMStoreUtil.createUserid(role.text(), DOMAIN)));
    }

    private void write(UserRole role, String password) throws IDMStoreException {
        User user = new User();
        user.setName(role.text());
        user.setDomainid(DOMAIN);
        user.setDescription(MADE);
        user.setEmail("");
        user.setEnabled(true);
        user.setPassword(password);
        store.writeUser(user);
    }

    private void grant(UserRole role) throws IDMStoreException {
        String user = IDMStoreUtil.createUserid(role.text(), DOMAIN);
        String id = IDMStoreUtil.createRoleid(role.text(), DOMAIN);
        if (store.getGrants(DOMAIN, user).getGrants().stream().noneMatch(each -> id.equals(each.getRoleid()))) {
            Grant grant = new Grant();
            grant.setDomainid(DOMAIN);
            grant.setUserid(user);
            grant.setRoleid(id);
            store.writeGrant(grant);
        }
    }

    /** Whether the administrator had the password that AAA gives, and has another one now. */
    private boolean replaceKnown() throws IDMStoreException, IOException {
        Optional<User> admin = read(UserRole.ADMIN)
            .filter(user -> hashes.passwordsMatch(Logins.KNOWN, user.getPassword(), user.getSalt()));
        if (admin.isEmpty()) {
            return false;
        }
        String password = files.readOrMake(Logins.KNOWN);
        if (password.equals(Logins.KNOWN)) {
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
