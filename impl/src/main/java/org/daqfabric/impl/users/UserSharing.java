package org.daqfabric.impl.users;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.daqfabric.impl.access.FirstAccounts;
import org.daqfabric.impl.async.Repeating;
import org.daqfabric.impl.cluster.Member;
import org.opendaylight.aaa.api.ClaimCache;
import org.opendaylight.aaa.api.IDMStoreException;
import org.opendaylight.aaa.api.IIDMStore;
import org.opendaylight.aaa.shiro.web.env.AAAShiroWebEnvironment;
import org.opendaylight.controller.cluster.ActorSystemProvider;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the members of a cluster share their users. A controller alone only keeps their database open: otherwise what
 * somebody changes while another logs in would be written half a second after AAA has answered, and a controller that
 * is killed within it would have lost it. Only where the distribution's settings ask for it: the users of somebody's
 * own OpenDaylight are theirs.
 *
 * <p>It begins when AAA and {@link FirstAccounts} have made their accounts, so that those count as what the member had
 * when it began, and never as a change: what a new member makes must not replace what the others have.
 */
@Component(service = { }, immediate = true, configurationPid = "org.daqfabric.accounts",
    configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class UserSharing {
    private static final Logger LOG = LoggerFactory.getLogger(UserSharing.class);
    private static final long LOOK_MILLIS = 1_000;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-users").factory());
    private final Member member;
    private final HashedUsers hashed;
    private final LocalUsers local;
    private final FirstAccounts accounts;
    private final ActorSystem system;
    /** Of this thread alone, as all that follow. */
    private Connection database;
    private SharedUsers users;
    private Members members;

    /**
     * Begins.
     *
     * @param environment is there when AAA has made its accounts
     */
    @Activate
    public UserSharing(@Reference IIDMStore store, @Reference HashedUsers hashed, @Reference ClaimCache logins,
            @Reference AAAShiroWebEnvironment environment, @Reference FirstAccounts accounts,
            @Reference ActorSystemProvider systems) {
        member = Member.read(Path.of(System.getProperty("karaf.base", "")));
        this.hashed = hashed;
        local = new LocalUsers(store, hashed, logins);
        this.accounts = accounts;
        system = systems.getActorSystem();
        thread.scheduleWithFixedDelay(new Repeating("sharing users", thread, this::look), 0, LOOK_MILLIS,
            TimeUnit.MILLISECONDS);
    }

    private void look() {
        attempt(() -> {
            if (database == null || database.isClosed()) {
                database = hashed.keepOpen();
            }
            if (member.isAlone()) {
                return;
            }
            if (users == null) {
                accounts.make();
                users = new SharedUsers(member.name(), local,
                    new LedgerFile(Path.of(System.getProperty("karaf.data"), "shared-users.json")),
                    change -> accounts.changedElsewhere(change.id().id(), change.member()), InstantSource.system());
            }
            if (members == null) {
                members = new Members(system, (text, sender) -> thread.execute(
                    new Repeating("taking users of a member", thread, () -> attempt(() -> receive(text, sender)))));
            }
            if (users.look()) {
                Told.entries(users.ledger()).forEach(members::tellAll);
            } else {
                members.tellAll(Told.digest(users.ledger()));
            }
        });
    }

    private void receive(String text, ActorRef sender) throws IDMStoreException, IOException {
        switch (Told.read(text)) {
            case Told.Digest digest -> {
                if (!digest.digest().equals(LedgerText.digest(users.ledger()))) {
                    Told.entries(users.ledger()).forEach(part -> members.tell(sender, part));
                }
            }
            case Told.Entries entries -> users.receive(entries.ledger());
        }
    }

    private interface Attempt {
        void run() throws IDMStoreException, IOException, SQLException;
    }

    private static void attempt(Attempt attempt) {
        try {
            attempt.run();
        } catch (IDMStoreException | IOException | SQLException e) {
            LOG.error("the database of users cannot be used at this moment, nor shared with other members", e);
        }
    }

    /** Ends. Nothing is lost: the file knows. */
    @Deactivate
    public void close() {
        thread.execute(() -> {
            if (members != null) {
                members.close();
            }
            if (database != null) {
                attempt(database::close);
            }
        });
        thread.shutdown();
    }
}
