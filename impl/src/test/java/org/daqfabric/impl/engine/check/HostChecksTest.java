package org.daqfabric.impl.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.daqfabric.impl.engine.check.FabricChecksTest.assertRefused;
import static org.daqfabric.impl.engine.check.FabricChecksTest.wrong;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Mac;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Hosts that are neither ROS nor DCMs, and flows. */
class HostChecksTest {
    /** A contradiction is reported once, at the node that causes it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource
    void refusesContradictions(String what, Consumer<Draft> spoil, String path, List<String> words) {
        assertRefused(spoil, path, words);
    }

    static Stream<Arguments> refusesContradictions() {
        return Stream.of(
            wrong("a host behind a spine", draft -> draft.host(1, "h", "10.9.0.1", "s-1-1"),
                "/pod[id='1']/host[name='h']/switch", "host 'h'", "spine 1 of plane 1", "an edge switch of pod 1"),
            wrong("a host behind another pod's switch", draft -> draft.host(1, "h", "10.9.0.1", "rack-2"),
                "/pod[id='1']/host[name='h']/switch", "host 'h' of pod 1", "HLT rack 'rack-2' of pod 2"),
            wrong("a host behind an unknown switch", draft -> draft.host(1, "h", "10.9.0.1", "nowhere"),
                "/pod[id='1']/host[name='h']/switch", "unknown switch 'nowhere'"),
            wrong("a host's switch without uplink", draft -> draft.switches("own").host(1, "h", "10.9.0.1", "own"),
                "/pod[id='1']/host[name='h']", "has no uplink", "'l-1-1', 'l-2-1'"),
            wrong("a host with a DCM's address", draft -> draft.host(1, "h", "10.1.1.1", "rack-1"),
                "/pod[id='1']/host[name='h']/address", "DCM 'dcm-1-1' and by host 'h'"),
            wrong("a host with a DCM's name", draft -> draft.host(1, "dcm-2-1", "10.9.0.1", "rack-1"),
                "/pod[id='1']/host[name='dcm-2-1']/name", "the name of another host or of a ROS, DCM"),
            address("::"), address("::1"), address("64:ff9b::1"), address("fe80::1"), address("febf::1"),
            address("ff02::1"),
            wrong("a flow from IPv4 to IPv6", draft -> draft.host(1, "h", "fd00::1", "rack-1")
                .flow("f", "all-dcms", "h"),
                "/flow[name='f']/to", "'all-dcms' to 'h', of which one has IPv4 addresses and the other IPv6"),
            wrong("a host in two pods", draft -> draft.host(1, "h", "10.9.0.1", "rack-1")
                .host(2, "h", "10.9.0.2", "rack-2"), "/pod[id='1']/host[name='h']/name", "of another host"),
            wrong("a host behind a port without mac", draft -> draft.host(1, new Host("h", Address.parse("10.9.0.1"),
                "rack-1", "eth7", Optional.empty())), "/pod[id='1']/host[name='h']", "rack-1:eth7", "has no mac"),
            wrong("a host behind a port with a link", draft -> draft.host(1, new Host("h", Address.parse("10.9.0.1"),
                "rack-1", "l-1-1", Optional.of(Mac.parse("02:00:00:00:00:01")))),
                "/pod[id='1']/host[name='h']/port", "port rack-1:l-1-1 is used by", "leads to no host"),
            wrong("a flow to nobody", draft -> draft.host(1, "h", "10.9.0.1", "rack-1").flow("f", "h", "nobody"),
                "/flow[name='f']/to", "flow 'f' names 'nobody'"),
            wrong("a flow from several", draft -> draft.host(1, "h", "10.9.0.1", "rack-1")
                .rack(1, "ros-2", "r").switches("r").link("r", "l-1-1").flow("f", "ros-2", "h"),
                "/flow[name='f']/from", "several of the hosts"),
            wrong("a flow without a host", draft -> draft.flow("f", "ros-1", "dcm-1-1"),
                "/flow[name='f']", "of which none is a host"),
            wrong("a flow to its sender", draft -> draft.host(1, "h", "10.9.0.1", "rack-1").flow("f", "h", "h"),
                "/flow[name='f']/to", "to itself"),
            wrong("a flow of nothing", draft -> {
                draft.host(1, "h", "10.9.0.1", "rack-1");
                draft.flows.add(new Flow("f", "h", "all-dcms", Flow.Kind.EVENTS, 0, 0));
            }, "/flow[name='f']", "rate 0.0 and share 0.0"));
    }

    private static Arguments address(String address) {
        return wrong("address " + address, draft -> draft.host(1, "h", address, "rack-1"),
            "/pod[id='1']/host[name='h']/address", "host 'h' has address " + address, "no host can have");
    }

    /** Hosts share the switches of ROS, racks and other hosts of their pod, and flows lead to all kinds of names. */
    @Test
    void acceptsHosts() {
        Draft draft = Draft.small("x").host(1, "a", "10.9.0.1", "ros-1").host(1, "b", "10.9.0.2", "rack-1")
            .switches("own").link("own", "l-1-2").host(2, "c", "10.9.0.3", "own").host(2, "d", "10.9.0.4", "own");
        draft.host(1, "e", "fd00::1", "ros-1").host(2, "f", "2001:db8::ff", "own").flow("5", "e", "f");
        draft.flow("1", "a", "b").flow("2", "c", Flow.ALL_DCMS).flow("3", Flow.ALL_ROS, "d").flow("4", "dcm-1-1", "a");
        assertThat(FabricChecks.check(draft.build())).isEmpty();
    }
}
