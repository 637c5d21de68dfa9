package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.daqfabric.api.history.FabricChanges;
import org.daqfabric.impl.author.Author;
import org.daqfabric.impl.author.WriteEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.LinkRate;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Fabrics1;
import org.opendaylight.yang.svc.v1.urn.daqfabric.operations.rev261121.YangModuleInfoImpl;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Decimal64;

/** Every accepted configuration can be listed, compared and configured again, with its user if that is certain. */
class HistoryRpcsTest {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final Author ALICE = new Author(Optional.of("alice@sdn"), Optional.of("new cables"));
    private static final DataObjectIdentifier<Fabric> PROTOTYPE = InMemoryBroker.FABRICS.toBuilder()
        .child(Fabric.class, new FabricKey(new Name("prototype"))).build();

    private static final int VERSIONS = 3;

    private final InMemoryBroker store = new InMemoryBroker();
    private final FabricHistory history = history(VERSIONS);
    private final RpcCalls calls = new RpcCalls(YangModuleInfoImpl.getInstance().getName(),
        service -> new HistoryRpcs(service, history));
    private Instant now = Instant.parse("2026-11-30T03:00:00.5Z");
    private AutoCloseable recording;

    private FabricHistory history(int size) {
        return new FabricHistory(store.broker(), new ConfigurationText(store.serializer(), store::model), size);
    }

    @BeforeEach
    void record() {
        recording = history.recording(() -> now);
    }

    @AfterEach
    void stop() throws Exception {
        recording.close();
    }

    private Fabric prototype(int linkCapacity) {
        Fabric written = store.fabrics(store.prototype()).nonnullFabric().get(new FabricKey(new Name("prototype")));
        return new FabricBuilder(written).setLinkCapacity(new LinkRate(Decimal64.valueOf(3, linkCapacity))).build();
    }

    private void write(Fabric fabric, Author... authors) throws Exception {
        WriteTransaction tx = store.broker().newWriteOnlyTransaction();
        if (fabric == null) {
            tx.delete(STORE, PROTOTYPE);
        } else {
            tx.put(STORE, PROTOTYPE, fabric);
        }
        for (Author author : authors) {
            WriteEntry.add(tx, author);
        }
        tx.commit().get();
    }

    /** All versions, when the newest is the one with a number. */
    private List<JsonObject> versions(int newest) {
        await().until(() -> {
            try {
                return list().get(0).get("version").getAsInt() == newest;
            } catch (IllegalArgumentException e) {
                return false;  // there is no history yet
            }
        });
        return list();
    }

    private List<JsonObject> list() {
        return calls.call("list-versions", "{'fabric': 'prototype'}").getAsJsonArray("version").asList().stream()
            .map(JsonElement::getAsJsonObject).toList();
    }

    private static String text(JsonObject version, String leaf) {
        return version.has(leaf) ? version.get(leaf).getAsString() : null;
    }

    /** User, reason and summary are listed, newest first; a write without an entry has no known user. */
    @Test
    void listsWhoWroteWhat() throws Exception {
        write(prototype(10), ALICE);
        versions(1);
        write(prototype(40));

        List<JsonObject> versions = versions(2);

        assertThat(versions).extracting(version -> text(version, "user")).containsExactly("unknown", "alice@sdn");
        assertThat(versions).extracting(version -> text(version, "reason")).containsExactly(null, "new cables");
        assertThat(text(versions.get(0), "summary")).contains("links: capacity 10 -> 40");
        assertThat(text(versions.get(1), "summary")).startsWith("fabric added: ");
        await().until(() -> {
            Fabrics fabrics = store.read(STORE, InMemoryBroker.FABRICS);
            return fabrics.augmentation(Fabrics1.class) == null
                || fabrics.augmentation(Fabrics1.class).nonnullWrite().isEmpty();
        });
    }

    /** A write with two entries is attributed to nobody. */
    @Test
    void attributesNothingThatIsNotSure() throws Exception {
        write(prototype(10), ALICE, new Author(Optional.of("bob@sdn"), Optional.empty()));
        assertThat(text(versions(1).get(0), "user")).isEqualTo("unknown");
    }

    /**
     * An unchanged configuration is no new version; beyond the limit the oldest are removed, and numbers are not
     * reused.
     */
    @Test
    void keepsTheLastOnes() throws Exception {
        for (int capacity : new int[] {10, 10, 20, 30, 40}) {
            write(prototype(capacity));
        }
        assertThat(versions(4)).extracting(version -> version.get("version").getAsInt()).containsExactly(4, 3, 2);
    }

    /**
     * A client that has read the fabric before the clock was set back must not take it for unchanged after another has
     * changed it: it compares times in whole seconds.
     */
    @Test
    void changesAfterTheClockWasSetBackAreLater() throws Exception {
        write(prototype(10));
        final String first = text(versions(1).get(0), "time");
        Instant before = changed();
        now = now.minus(Duration.ofHours(1));
        for (int version : new int[] {2, 3}) {
            if (version == 3) {
                recording.close();
                recording = history.recording(() -> now);
            }
            write(prototype(10 * version));
            versions(version);
            assertThat(changed().truncatedTo(ChronoUnit.SECONDS)).isAfter(before.truncatedTo(ChronoUnit.SECONDS));
            before = changed();
        }
        assertThat(text(list().get(0), "time")).as("what is shown is the time there was").isLessThan(first);
        now = now.plus(Duration.ofHours(2));
        write(prototype(40));
        versions(4);
        assertThat(changed()).isEqualTo(now);
    }

    private Instant changed() throws Exception {
        return HistoryTree.changed(store.read(STORE, HistoryTree.path("prototype"))).orElseThrow();
    }

    /** Differences between versions, and to the present configuration, are listed. */
    @Test
    void comparesVersions() throws Exception {
        write(prototype(10));
        write(prototype(40));
        versions(2);

        JsonObject compared = calls.call("compare-versions", "{'fabric': 'prototype', 'from': 2, 'to': 1}");
        JsonObject difference = compared.getAsJsonArray("difference").get(0).getAsJsonObject();
        assertThat(text(difference, "part")).startsWith("link ");
        assertThat(text(difference, "property")).isEqualTo("capacity");
        assertThat(text(difference, "before")).isEqualTo("40");
        assertThat(text(difference, "text")).endsWith(": capacity 40 -> 10");
        assertThat(text(calls.call("compare-versions", "{'fabric': 'prototype', 'from': '2'}"), "summary"))
            .isEqualTo("nothing changed");
    }

    /** A removed fabric keeps its history, from which it can be restored exactly. */
    @Test
    void bringsBackARemovedFabric() throws Exception {
        write(prototype(20));
        versions(1);
        write(null, ALICE);
        assertThat(versions(2).get(0).has("removed")).isTrue();
        assertThatThrownBy(() -> calls.call("roll-back", "{'fabric': 'prototype', 'version': 2}"))
            .hasMessageContaining("invalid-value: /input/version: version 2 is the removal of prototype");

        calls.call("roll-back", "{'fabric': 'prototype', 'version': 1}");

        assertThat(store.read(STORE, PROTOTYPE)).isEqualTo(prototype(20));
        JsonObject newest = versions(3).get(0);
        assertThat(text(newest, "reason")).isEqualTo("roll-back to version 1");
        assertThat(text(newest, "summary")).startsWith("fabric added");
    }

    /** Who has agreed to a change does not undo what somebody else has done since, not even at the same instant. */
    @Test
    void rollsBackOnlyWhatWasSeen() throws Exception {
        recording.close();
        recording = history(10).recording();
        write(prototype(10));
        versions(1);
        write(prototype(20));
        versions(2);
        write(prototype(25));
        FabricChanges seen = changesOfVersionTwo();
        write(prototype(30));
        assertThatThrownBy(() -> rollBack(history, Optional.of(seen))).hasMessageContaining(
            "nothing was changed: somebody else has changed prototype meanwhile. Look again");
        assertThat(store.read(STORE, PROTOTYPE)).isEqualTo(prototype(30));
        FabricChanges again = changesOfVersionTwo();
        FabricHistory late = new FabricHistory(store.brokerThatIsLate(() -> write(prototype(40))),
            new ConfigurationText(store.serializer(), store::model), VERSIONS);
        assertThatThrownBy(() -> rollBack(late, Optional.of(again))).hasMessageContaining(
            "somebody else has changed prototype meanwhile");
        assertThat(store.read(STORE, PROTOTYPE)).isEqualTo(prototype(40));
        rollBack(history, Optional.of(changesOfVersionTwo()));
        assertThat(store.read(STORE, PROTOTYPE)).isEqualTo(prototype(20));
    }

    private FabricChanges changesOfVersionTwo() throws Exception {
        return history.compare("prototype", OptionalLong.empty(), OptionalLong.of(2)).toCompletableFuture().get();
    }

    private static FabricChanges rollBack(FabricHistory by, Optional<FabricChanges> seen) throws Exception {
        return by.rollBack("prototype", 2, Author.UNKNOWN, seen).toCompletableFuture().get();
    }

    /** A change that was made while no controller recorded becomes a version of its own, without a user. */
    @Test
    void recordsWhatItMissed() throws Exception {
        write(prototype(10), ALICE);
        versions(1);
        recording.close();
        write(prototype(20), ALICE);
        recording = history.recording();
        assertThat(text(versions(2).get(0), "user")).isEqualTo("unknown");
        recording.close();
        write(null, ALICE);
        recording = history.recording();
        assertThat(versions(3).get(0).has("removed")).isTrue();
    }

    /** A wrong input is refused with its leaf and with what would be right. */
    @Test
    void namesAWrongInput() throws Exception {
        assertThatThrownBy(() -> calls.call("list-versions", "{'fabric': 'nobody'}"))
            .hasMessageContaining("/input/fabric: there is no history of a fabric 'nobody'");
        assertThatThrownBy(() -> calls.call("list-versions", "{'fabric': 'a b/c'}"))
            .hasMessageContaining("/input/fabric: a name holds letters, digits");
        write(prototype(10));
        versions(1);
        assertThatThrownBy(() -> calls.call("roll-back", "{'fabric': 'prototype', 'version': 7}"))
            .hasMessageContaining("/input/version: there is no version 7 of prototype: its history has version 1");
        assertThatThrownBy(() -> calls.call("compare-versions", "{'fabric': 'prototype'}"))
            .hasMessageContaining("/input/from");
        assertThatThrownBy(() -> calls.call("compare-versions", "{'fabric': 'prototype', 'from': 'x'}"))
            .hasMessageContaining("/input/from: this is no whole number");
        assertThatThrownBy(() -> history(0)).hasMessageContaining("history-size is 0");
    }
}
