package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.SettableFuture;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.daqfabric.api.BackupContents;
import org.daqfabric.api.RestoreResult;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.controller.spi.ConfigListener;
import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteTransaction;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;

/** Backups of one datastore, taken up by another. */
class BackupsTest {
    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;

    private final InMemoryBroker old = new InMemoryBroker();
    private final InMemoryBroker fresh = new InMemoryBroker();
    /** The calls of the new controller, in order. */
    private final List<String> events = new ArrayList<>();
    private Optional<String> noSpace = Optional.empty();
    private final Backups from = backups(old);
    private final Backups to = backups(fresh);

    private final class Recorder implements ConfigListener, Backups.Restart {
        @Override
        public void fabricChanged(FabricSpec spec) {
            events.add("configured " + spec.name());
        }

        @Override
        public void fabricRemoved(String fabric) {
            events.add("removed " + fabric);
        }

        @Override
        public void configurationRead() {
            events.add("read");
        }

        @Override
        public <T> CompletionStage<T> around(Supplier<CompletionStage<T>> task) {
            events.add("end");
            return task.get().whenComplete((done, failure) -> events.add("begin"));
        }
    }

    private Backups backups(InMemoryBroker broker) {
        return backups(broker, new Recorder());
    }

    private Backups backups(InMemoryBroker broker, Backups.Restart restart) {
        return backups(broker.domBroker(), broker, restart);
    }

    private Backups backups(DOMDataBroker store, InMemoryBroker broker, Backups.Restart restart) {
        return new Backups(store, broker.serializer(), broker::model, new Recorder(), restart, "0.1.0",
            InstantSource.fixed(NOW), () -> noSpace);
    }

    @BeforeEach
    void fillTheOldStore() throws Exception {
        old.put(STORE, InMemoryBroker.FABRICS, old.fabrics(old.prototype()));
        get(DatastoreDecisionStoreTest.store(old).save("prototype",
            DatastoreDecisionStoreTest.decision(4, 1)));
        get(new DatastoreRunStore(old.broker()).save(Partition.idle("det", NOW)));
    }

    /** A new controller gets exactly what the old one had stored, and is told the fabric before it begins. */
    @Test
    void aNewControllerHasWhatTheOldOneHad() throws Exception {
        String text = get(from.take()).text();

        assertThat(get(to.restore(text, false)))
            .isEqualTo(new RestoreResult(new BackupContents(1, 48, 1), List.of()));

        assertThat(fresh.read(STORE, InMemoryBroker.FABRICS)).isEqualTo(old.read(STORE, InMemoryBroker.FABRICS));
        assertThat(get(DatastoreDecisionStoreTest.store(fresh).load("prototype")))
            .isEqualTo(DatastoreDecisionStoreTest.decision(4, 1));
        assertThat(get(new DatastoreRunStore(fresh.broker()).load())).containsExactly(Partition.idle("det", NOW));
        assertThat(events).containsExactly("end", "configured prototype", "begin");
        assertThat(content(get(to.take()).text()).keySet()).isEqualTo(content(text).keySet());
    }

    /** Nothing ends for a restore that there is no space for. */
    @Test
    void aFullDiskIsToldBefore() throws Exception {
        String text = get(from.take()).text();
        noSpace = Optional.of("120 MiB are free");
        assertThatThrownBy(() -> get(to.restore(text, false))).hasRootCauseInstanceOf(FrozenException.class)
            .hasRootCauseMessage("120 MiB are free");
        assertThat(events).isEmpty();
        noSpace = Optional.empty();
        get(to.restore(text, false));
        assertThat(events).contains("configured prototype");
    }

    /** A backup of another installation makes a new one of who takes it up, which the other one does not know. */
    @Test
    void aRestoreMakesANewInstallation() throws Exception {
        Installation first = get(installation(old).load());
        Installation second = get(installation(fresh).load());

        get(to.restore(get(from.take()).text(), false));
        Installation restored = get(installation(fresh).load());
        assertThat(restored.id()).isNotIn(first.id(), second.id());
        assertThat(restored.former()).containsExactlyInAnyOrder(first.id(), second.id());

        get(to.restore(get(to.take()).text(), true));
        assertThat(get(installation(fresh).load())).isEqualTo(restored);
        assertThat(get(installation(fresh).takeOver(List.of("x"))).isOther("x")).isFalse();
    }

    private static DatastoreInstallationStore installation(InMemoryBroker broker) {
        return new DatastoreInstallationStore(broker.broker(), Runnable::run, changed -> { });
    }

    /** A restore removes what the backup does not contain. */
    @Test
    void whatIsNotInTheBackupIsDeleted() throws Exception {
        get(new DatastoreRunStore(fresh.broker()).save(Partition.idle("other", NOW)));
        get(DatastoreDecisionStoreTest.store(fresh).save("other",
            DatastoreDecisionStoreTest.decision(1, 1)));
        JsonObject document = document(get(from.take()).text());
        document.getAsJsonObject("content").remove("daqfabric-store:decisions");
        document.getAsJsonObject("backup").remove("sha256");

        get(to.restore(document.toString(), false));

        assertThat(get(new DatastoreRunStore(fresh.broker()).load())).extracting(Partition::name)
            .containsExactly("det");
        assertThat(content(get(to.take()).text()).keySet()).doesNotContain("daqfabric-store:decisions");
    }

    /** An existing fabric is replaced only on explicit request, which may be repeated. */
    @Test
    void aConfiguredFabricIsReplacedOnlyIfToldTo() throws Exception {
        String text = get(from.take()).text();

        assertRefused(() -> get(from.restore(text, false)), "/daqfabric:fabrics/fabric[name='prototype']: this fabric"
            + " is configured here already");
        get(from.restore(text, true));
        get(from.restore(text, true));

        assertThat(content(get(from.take()).text())).isEqualTo(content(text));
    }

    /** A restore that would forget a bridge is refused until the bridge has been removed from its node. */
    @Test
    void noBridgeIsLeftBehind() throws Exception {
        String text = get(from.take()).text();
        fresh.put(STORE, InMemoryBroker.FABRICS, fresh.fabrics(fresh.parse("""
            {"daqfabric:fabrics": {"fabric": [{"name": "prototype", "link-capacity": "10", "switch": [
              {"name": "hlt-1"}, {"name": "new"}, {"name": "hlt-2", "bridge": "br-other"}]}]}}""")));

        assertRefused(() -> get(to.restore(text, true)), "/daqfabric:fabrics/fabric[name='prototype']/switch[name="
            + "'hlt-2']: the backup has no bridge br-other on node hlt-2, which would be left behind");
        assertRefused(() -> get(to.restore(text, true)), "switch[name='new']: the backup has no bridge br-daq");
        fresh.put(STORE, InMemoryBroker.FABRICS, fresh.fabrics(fresh.parse("""
            {"daqfabric:fabrics": {"fabric": [{"name": "other", "link-capacity": "10"}]}}""")));
        assertRefused(() -> get(to.restore(text, true)), "/daqfabric:fabrics/fabric[name='other']: the backup does not"
            + " have this fabric: delete it first");
        assertThat(events).isEmpty();
    }

    /** Nothing is restored during a run. */
    @Test
    void nothingIsRestoredDuringARun() throws Exception {
        Partition running = Partition.idle("run", NOW).prepared("prototype", "physics",
            new Selection(new TreeSet<>(List.of("ros-1")), new TreeSet<>(List.of("dcm-1-1"))), 0,
            new Operation("p1", "prepare", Operation.Status.DONE, 100, ""), NOW).armed(true, NOW)
            .started(RunRecord.begin(7, NOW, new Condition(1, 1, List.of())), NOW);
        String text = get(from.take()).text();
        get(new DatastoreRunStore(old.broker()).save(running));

        assertThatThrownBy(() -> get(from.restore(text, true))).cause().isInstanceOf(FrozenException.class)
            .hasMessage("fabric prototype is frozen: run 7 of partition run goes on: stop it first");
        assertThat(events).isEmpty();

        // a new controller continues the run
        get(to.restore(get(from.take()).text(), false));
        assertThat(get(new DatastoreRunStore(fresh.broker()).load())).contains(running);
    }

    /**
     * Data of another version are restored if the models allow them; otherwise the first node that they do not allow
     * is named.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        'link-capacity'  | 'colour'      | /daqfabric:fabrics/fabric[name='prototype']/colour:
        'dcm-1-2'        | 'no name'     | /pod[id='1']/hlt-rack[name='hlt-1']/dcm[name='no name']/name:
        '10.1.1.3'       | '10.1.1.333'  | /pod[id='1']/hlt-rack[name='hlt-1']/dcm[name='dcm-1-3']/address: Value
        'dcm':           | 'dcms':       | /dcms: Schema node with name dcms was not found
        daqfabric:fabrics | daqfabric:fabric | /daqfabric:fabric: this controller stores daqfabric-store:alarms
        daqfabric-store:partitions | later:things | /later:things: this controller stores
        """)
    void theFirstNodeThatDoesNotFitIsNamed(String part, String changed, String path) throws Exception {
        JsonObject document = document(get(from.take()).text());
        document.getAsJsonObject("backup").remove("sha256");
        String text = document.toString().replace(part.replace('\'', '"'), changed.replace('\'', '"'));

        assertRefused(() -> get(to.restore(text, false)), path);
        assertThat(fresh.read(STORE, InMemoryBroker.FABRICS)).isNull();
        assertThat(events).isEmpty();
    }

    /** What the models allow and the controller could not read when it begins is refused before anything is ended. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        port-numbers       | up1=one | /daqfabric-store:decisions/decision: the entry DecisionKey{fabric=
        required-bandwidth | much    | /daqfabric-store:partitions/partition: the entry PartitionKey{name=det}
        """)
    void whatCouldNotBeReadIsRefused(String leaf, String value, String path) throws Exception {
        JsonObject document = document(get(from.take()).text());
        document.getAsJsonObject("backup").remove("sha256");
        String text = document.toString().replaceAll("\"" + leaf + "\":\"[^\"]*\"",
            "\"" + leaf + "\":\"" + value + "\"");

        assertThat(text).contains(value);
        assertRefused(() -> get(to.restore(text, false)), path);
        assertThat(events).isEmpty();
    }

    /** The same of what else is stored: with a value that can be read it is taken up. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        removals | {'removal':[{'system-id':'n','bridge':'b','fabric':'f','since':'TIME'}]}\
         | 2026-11-23T10:00:00Z | 2026-99-23T10:00:00Z | /removal: the entry RemovalKey{
        removals | {'removal':[{'system-id':'n','bridge':'b','fabric':'f','since':'2026-11-23T10:00:00Z',\
        'ovsdb-address':'192.0.2.1'PORT}]} | ,'ovsdb-port':6640 | | /removal: the entry RemovalKey{
        doubts   | {'doubt':[{'fabric':'f','link':[{'switch':'s','port':'p','to-peer':1LOST}]}]}\
         | ,'from-peer':0 | | /doubt: the entry DoubtKey{fabric=
        alarms   | {'alarm':[{'resource':'WHAT','alarm-type-id':'link-down','time-created':'2026-11-23T10:00:00Z',\
        'is-cleared':false,'last-raised':'2026-11-23T10:00:00Z','last-changed':'2026-11-23T10:00:00Z',\
        'perceived-severity':'major','alarm-text':'t'}]} | fabric/f/link/s:p | fabric/f/what/s:p | /alarm:
        history  | {'fabric':[{'name':'f','version':[{'number':1,'time':'TIME','summary':'s'}]}]}\
         | 2026-11-23T10:00:00Z | 2026-11-23T10:77:00Z | /fabric[name='f']/version: the entry VersionKey{number=1}
        """)
    void whatElseCouldNotBeReadIsRefused(String container, String stored, String good, String bad, String path)
            throws Exception {
        JsonObject document = document(get(from.take()).text());
        document.getAsJsonObject("backup").remove("sha256");
        String part = "TIME|PORT|LOST|WHAT";
        for (String value : new String[] {bad == null ? "" : bad, good}) {
            document.getAsJsonObject("content").add("daqfabric-store:" + container,
                JsonParser.parseString(stored.replaceAll(part, value).replace('\'', '"')));
            if (value.equals(good)) {
                get(to.restore(document.toString(), false));
            } else {
                assertRefused(() -> get(to.restore(document.toString(), false)),
                    "/daqfabric-store:" + container + path);
                assertThat(events).isEmpty();
            }
        }
        assertThat(content(get(to.take()).text()).keySet()).contains("daqfabric-store:" + container);
    }

    @Test
    void dataOfAnotherRevisionAreTakenUpIfTheyFit() throws Exception {
        String text = get(from.take()).text().replaceFirst("\"daqfabric\": \"2026-11-20\"",
            "\"daqfabric\": \"2026-10-01\"");

        assertThat(get(to.restore(text, false)).warnings()).singleElement().asString()
            .contains("module daqfabric of revision 2026-10-01");
        assertThat(fresh.read(STORE, InMemoryBroker.FABRICS)).isNotNull();
    }

    /** The fabrics of a backup are checked like any configuration, before any running fabric is ended. */
    @Test
    void contradictionsAreRefusedByTheirPath() throws Exception {
        JsonObject document = document(get(from.take()).text());
        document.getAsJsonObject("backup").remove("sha256");

        assertRefused(() -> get(to.restore(document.toString().replace("10.0.0.2", "10.0.0.1"), false)),
            "/daqfabric:fabrics/fabric[name='prototype']/pod[id='1']/ros[name=");
        assertThat(events).isEmpty();
    }

    /** A controller without stored data can be backed up, too. */
    @Test
    void nothingIsBackedUpAndRestoredLikeSomething() throws Exception {
        String text = get(to.take()).text();

        assertThat(content(text).size()).isZero();
        get(to.restore(text, false));
        assertThat(fresh.read(STORE, InMemoryBroker.FABRICS)).isNull();
    }

    /** While the datastore takes no write, nothing is ended for it: repairs do without the store. */
    @Test
    void aDatastoreThatRefusesEndsNothing() throws Exception {
        DOMDataBroker full = spy(fresh.domBroker());
        DOMDataTreeWriteTransaction tx = mock();
        doReturn(tx).when(full).newWriteOnlyTransaction();
        doReturn(FluentFutures.immediateFailedFluentFuture(new TransactionCommitFailedException("the disk is full")))
            .when(tx).commit();
        String text = get(from.take()).text();

        assertThatThrownBy(() -> get(backups(full, fresh, new Recorder()).restore(text, false))).cause()
            .hasMessageContainingAll("no fabric ended", "the disk is full");
        assertThat(events).isEmpty();
    }

    /** One that never answers, as where most members of a cluster are away, is not waited for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDatastoreThatNeverAnswersEndsNothing(boolean reads) throws Exception {
        DOMDataBroker silent = spy(fresh.domBroker());
        DOMDataTreeWriteTransaction write = mock();
        doReturn(FluentFuture.from(SettableFuture.create())).when(write).commit();
        doReturn(write).when(silent).newWriteOnlyTransaction();
        if (!reads) {
            DOMDataTreeReadTransaction read = mock();
            doReturn(FluentFuture.from(SettableFuture.create())).when(read).read(any(), any());
            doReturn(read).when(silent).newReadOnlyTransaction();
        }
        Backups waiting = new Backups(silent, fresh.serializer(), fresh::model, new Recorder(), new Recorder(), "0.1.0",
            InstantSource.fixed(NOW), () -> noSpace, Duration.ofMillis(1));
        String text = get(from.take()).text();

        assertThatThrownBy(() -> get(waiting.restore(text, false))).cause()
            .hasMessageContainingAll("nothing was restored", "no fabric ended", "no answer for ");
        assertThat(events).isEmpty();
    }

    @Test
    void onlyTheActiveMemberRestores() throws Exception {
        Backups standby = backups(fresh, new Backups.Restart() {
            @Override
            public <T> CompletionStage<T> around(Supplier<CompletionStage<T>> task) {
                return CompletableFuture.failedFuture(new StandbyException("ask member-1"));
            }
        });
        String text = get(from.take()).text();

        assertThatThrownBy(() -> get(standby.restore(text, false))).cause().isInstanceOf(StandbyException.class);
        Fabrics stored = fresh.read(STORE, InMemoryBroker.FABRICS);
        assertThat(stored).isNull();
    }

    private static void assertRefused(ThrowingCallable call, String text) {
        assertThatThrownBy(call).cause().isInstanceOfSatisfying(InvalidInputException.class, refused ->
            assertThat(ProblemText.of(refused.problems())).contains(text));
    }

    private static JsonObject document(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    private static JsonObject content(String text) {
        return document(text).getAsJsonObject("content");
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
