package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.daqfabric.impl.author.WriteEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.opendaylight.mdsal.common.api.DataValidationFailedException;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.Link;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.LinkKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeConfiguration;

class FabricCohortTest {
    private static final String DRAIN = "'switch': [{'name': 'spine-1-1', 'admin-state': 'drained'}], "
        + "'link': [{'switch': 'hlt-1', 'port': 'up1', 'admin-state': 'drained'}]";

    private static InMemoryBroker broker;
    private static YangInstanceIdentifier root;

    private CheckedStore store;
    private FabricCohort cohort;
    /** The reason why nothing may be changed, and why nothing but administrative states may be. */
    private String frozen;
    private String noSpace;

    @BeforeAll
    static void open() {
        broker = new InMemoryBroker();
        root = broker.serializer().toYangInstanceIdentifier(InMemoryBroker.FABRICS);
    }

    @BeforeEach
    void checkWrites() {
        store = new CheckedStore(broker.model(), DataTreeConfiguration.DEFAULT_CONFIGURATION);
        cohort = new FabricCohort(store, broker.serializer(), fabric -> Optional.ofNullable(frozen),
            () -> Optional.ofNullable(noSpace));
    }

    /** The fabrics of the thesis are accepted. */
    @Test
    void acceptsThePrototype() throws Exception {
        store.put(root, broker.prototype());

        assertThat(store.read(root)).contains(broker.prototype());
    }

    /** During a run, changes and removal of its fabric are refused with a message that says what to do. */
    @Test
    void refusesAnyChangeWhileARunGoesOn() throws Exception {
        store.put(root, broker.prototype());
        frozen = "run 5 of partition det goes on: stop it first";

        assertThatThrownBy(() -> store.merge(root, part("'link-capacity': 20")))
            .isInstanceOf(DataValidationFailedException.class)
            .hasMessageContaining("/daqfabric:fabrics/fabric[name='prototype']: it is frozen: run 5 of partition det");
        assertThatThrownBy(() -> store.delete(root)).isInstanceOf(DataValidationFailedException.class);
        assertThat(store.read(root)).contains(broker.prototype());

        frozen = null;
        store.merge(root, part("'link-capacity': 20"));
    }

    /** A disk that is almost full takes what drains switches and links and gives them back, and nothing else. */
    @Test
    void takesAdministrativeStatesWhileSpaceIsShort() throws Exception {
        store.put(root, broker.prototype());
        noSpace = "no configuration is stored at present";

        store.merge(root, part(DRAIN));
        NormalizedNode drained = store.read(root).orElseThrow();
        assertThat(drained).isNotEqualTo(broker.prototype());
        for (String other : List.of("'link-capacity': 20", DRAIN.replace("drained", "in-service") + ", 'mtu': 9000",
                "'switch': [{'name': 'leaf-1-1', 'admin-state': 'in-service', 'bridge': 'other'}]")) {
            assertThatThrownBy(() -> store.merge(root, part(other))).hasMessageContaining(noSpace);
        }
        assertThatThrownBy(() -> store.delete(root)).hasMessageContaining(noSpace);
        assertThatThrownBy(() -> store.delete(link("hlt-1", "up1"))).hasMessageContaining(noSpace);
        assertThat(store.read(root)).contains(drained);
        store.put(root, broker.prototype());
        assertThat(store.read(root)).contains(broker.prototype());

        frozen = "run 5 of partition det goes on: stop it first";
        assertThatThrownBy(() -> store.merge(root, part(DRAIN))).hasMessageContaining(frozen);
    }

    /** A fabric that is not there yet is configuration, whatever of it is written. */
    @Test
    void takesNoNewFabricWhileSpaceIsShort() {
        noSpace = "no configuration is stored at present";
        assertThatThrownBy(() -> store.merge(root, part(DRAIN))).hasMessageContaining(noSpace);
    }

    /** A contradiction merged into a running fabric is refused with its path, and nothing is stored. */
    @ParameterizedTest(name = "{0}")
    @MethodSource
    void refusesContradictions(String content, String path, String word) throws Exception {
        store.put(root, broker.prototype());
        NormalizedNode before = store.read(root).orElseThrow();

        assertThatThrownBy(() -> store.merge(root, part(content)))
            .isInstanceOf(DataValidationFailedException.class)
            .cause().isInstanceOfSatisfying(NetconfDocumentedException.class, cause -> {
                assertThat(cause.getErrorType()).isEqualTo(ErrorType.APPLICATION);
                assertThat(cause.getErrorTag()).isEqualTo(ErrorTag.INVALID_VALUE);
                assertThat(cause.getMessage()).startsWith("/daqfabric:fabrics/fabric[name='prototype']" + path + ": ")
                    .contains(word);
            });

        assertThat(store.read(root)).contains(before);
    }

    static Stream<Arguments> refusesContradictions() {
        return Stream.of(
            arguments("'plane': [{'id': 3}]", "/plane[id='3']", "plane 3 has no spine"),
            arguments("'pod': [{'id': 3}]", "/plane[id='1']", "no leaf for pod 3"),
            arguments("'pod': [{'id': 1, 'ros': [{'name': 'r', 'address': '10.9.9.9', 'switch': 'new'}]}], "
                + "'switch': [{'name': 'new'}]", "/pod[id='1']/ros[name='r']", "has no uplink"),
            arguments("'plane': [{'id': 1, 'spine': [{'id': 3, 'switch': 'spine-2-1'}]}]",
                "/plane[id='2']/spine[id='1']/switch", "a switch has one role"),
            arguments("'link': [{'switch': 'leaf-1-1', 'port': 'new', 'peer-switch': 'spine-1-1', 'peer-port': "
            + "'pod1'}]",
                "/link[switch='leaf-1-1'][port='up1']/peer-port", "a port belongs to one link"),
            arguments("'pod': [{'id': 2, 'hlt-rack': [{'name': 'hlt-4', 'dcm': [{'name': 'new', 'address': "
                + "'10.0.0.1'}]}]}]", "/pod[id='2']/hlt-rack[name='hlt-4']/dcm[name='new']/address", "ROS 'ros-1'"),
            arguments("'link': [{'switch': 'spine-1-1', 'port': 'x', 'peer-switch': 'spine-1-2', 'peer-port': 'x'}]",
                "/link[switch='spine-1-1'][port='x']", "spines are not linked"),
            arguments("'link': [{'switch': 'leaf-1-1', 'port': 'x', 'peer-switch': 'leaf-1-2', 'peer-port': 'x'}]",
                "/link[switch='leaf-1-1'][port='x']", "leaves are not linked"),
            arguments("'link': [{'switch': 'leaf-1-1', 'port': 'x', 'peer-switch': 'nowhere', 'peer-port': 'x'}]",
                "/link[switch='leaf-1-1'][port='x']/peer-switch", "unknown switch 'nowhere'"),
            arguments("'switch': [{'name': 'hlt-1', 'ovsdb-port': 6640}]", "/switch[name='hlt-1']/ovsdb-port",
                "no ovsdb-address"),
            arguments("'pod': [{'id': 2, 'hlt-rack': [{'name': 'hlt-4', 'dcm': [{'name': 'new', 'address': "
                + "'10.9.9.9', 'port': 'p'}]}]}]", "/pod[id='2']/hlt-rack[name='hlt-4']/dcm[name='new']", "no mac"));
    }

    /** A missing mandatory leaf is named in the message. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        'plane': [{'id': 3, 'spine': [{'id': 1}]}] | /plane[id='3']/spine[id='1'] | switch
        'plane': [{'id': 3, 'leaf': [{'pod': 1}]}] | /plane[id='3']/leaf[pod='1'] | switch
        'pod': [{'id': 1, 'ros': [{'name': 'r', 'address': '10.9.9.9'}]}] | /pod[id='1']/ros[name='r'] | switch
        'pod': [{'id': 1, 'ros': [{'name': 'r', 'switch': 's'}]}] | /pod[id='1']/ros[name='r'] | address
        'pod': [{'id': 1, 'hlt-rack': [{'name': 'r'}]}] | /pod[id='1']/hlt-rack[name='r'] | switch
        'pod': [{'id': 1, 'hlt-rack': [{'name': 'hlt-1', 'dcm': [{'name': 'd'}]}]}] \
        | /pod[id='1']/hlt-rack[name='hlt-1']/dcm[name='d'] | address
        'link': [{'switch': 'a', 'port': 'p', 'peer-port': 'q'}] | /link[switch='a'][port='p'] | peer-switch
        'link': [{'switch': 'a', 'port': 'p', 'peer-switch': 'b'}] | /link[switch='a'][port='p'] | peer-port
        """)
    void namesAMissingLeaf(String content, String path, String leaf) throws Exception {
        store.put(root, broker.prototype());

        assertThatThrownBy(() -> store.merge(root, part(content))).isInstanceOf(DataValidationFailedException.class)
            .hasMessageContaining("fabric[name='prototype']" + path + ": the leaf " + leaf + " is missing");
    }

    /** Removals are checked, too: the last uplink of a rack cannot be removed. */
    @Test
    void refusesToDeleteWhatIsNeeded() throws Exception {
        store.put(root, broker.prototype());
        store.delete(link("hlt-1", "up1"));

        assertThatThrownBy(() -> store.delete(link("hlt-1", "up2"))).hasMessageContaining("HLT rack 'hlt-1' of pod 1 "
            + "has no uplink");
        assertThat(store.read(link("hlt-1", "up2"))).isPresent();
    }

    /** Two fabrics with the same bridge are refused. */
    @Test
    void refusesOneBridgeInTwoFabrics() throws Exception {
        store.put(root, broker.prototype());

        assertThatThrownBy(() -> store.merge(root, broker.parse(FabricReaderTest.json("""
            "switch": [{"name": "mine", "system-id": "hlt-1"}]"""))))
            .hasMessageContaining("switch 'mine' and switch 'hlt-1' of fabric 'prototype' are both bridge 'br-daq'")
            .hasMessageContaining("fabric[name='x']/switch[name='mine']");
    }

    /** A fabric can be removed, one or all. */
    @Test
    void acceptsRemoval() throws Exception {
        store.put(root, broker.prototype());
        store.merge(root, part("'link-capacity': '40'"));
        store.delete(broker.serializer().toYangInstanceIdentifier(InMemoryBroker.FABRICS.toBuilder()
            .child(Fabric.class, new FabricKey(new Name("prototype"))).build()));

        assertThat(store.read(root)).isEmpty();
    }

    /** The entry with the user of a write may be added and removed while a fabric is frozen. */
    @Test
    void acceptsThatAnEntryOfAWriteIsRemoved() throws Exception {
        store.put(root, broker.prototype());
        ContainerNode entry = broker.parse("{'daqfabric:fabrics': {'daqfabric-store:write': [{'id': '1'}]}}"
            .replace('\'', '"'));
        store.merge(root, entry);
        frozen = "run 5 of partition det goes on: stop it first";

        store.delete(broker.serializer().toYangInstanceIdentifier(WriteEntry.path("1")));

        assertThat(store.read(root)).contains(broker.prototype());
    }

    /** After it has been closed the cohort checks nothing. */
    @Test
    void closingEndsTheChecks() {
        cohort.close();

        assertThat(store.isChecked()).isFalse();
    }

    private static ContainerNode part(String content) {
        return broker.parse("{\"daqfabric:fabrics\": {\"fabric\": [{\"name\": \"prototype\", "
            + content.replace('\'', '"') + "}]}}");
    }

    private static YangInstanceIdentifier link(String sw, String port) {
        return broker.serializer().toYangInstanceIdentifier(InMemoryBroker.FABRICS.toBuilder()
            .child(Fabric.class, new FabricKey(new Name("prototype")))
            .child(Link.class, new LinkKey(new InterfaceName(port), new Name(sw))).build());
    }
}
