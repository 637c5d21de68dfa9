package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Plan;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** A body with too many nodes is refused where it has them; {@link RequestFilter} asks before it reads it. */
class NodeCountTest {
    private static final String PLAN = "/operations/daqfabric-operations:plan";

    private static EffectiveModelContext model;

    @BeforeAll
    static void read() {
        model = BindingRuntimeHelpers.createRuntimeContext(Fabrics.class, Plan.class).modelContext();
    }

    private static Optional<Fault> fault(String method, String path, String body, int most) {
        return NodeCount.fault(Target.of(model, method, path).orElseThrow(), body.startsWith("<") ? Format.XML
            : Format.JSON, body.replace('`', '"').getBytes(StandardCharsets.UTF_8), most);
    }

    /** All bodies of one line have as many nodes: as many are allowed, and one less is not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "{`input`:{`fabric`:`f`,`candidate`:{`switch`:[{`name`:`a`},{`name`:`b`}]}}} | 8 "
            + "| /daqfabric-operations:input/candidate/switch[2]/name",
        "{`input`:{`candidate`:{`switch`:[{`name`:`a`},{`name`:`b`},{}]}}} | 8 "
            + "| /daqfabric-operations:input/candidate/switch[3]",
        "{`input`:{`drain-switch`:[`a`,`b`,`c`]}} | 5 | /daqfabric-operations:input/drain-switch",
        "{`input`:{`nobody`:[[[[]]],1]}} | 6 | /daqfabric-operations:input/nobody",
        "/* as the parsers */ {'input':{fabric:f;mtu=1}} | 3 | /daqfabric-operations:input/mtu",
        "<input xmlns='urn:daqfabric:operations'><candidate><switch><name>a</name></switch></candidate></input> | 4 "
            + "| /daqfabric-operations:input/candidate/switch/name",
        "<input xmlns='urn:daqfabric:operations'><drain-switch>a</drain-switch><drain-switch/></input> | 3 "
            + "| /daqfabric-operations:input/drain-switch" })
    void countOfNodes(String body, int nodes, String place) {
        assertThat(fault("POST", PLAN, body, nodes)).isEmpty();
        Fault fault = fault("POST", PLAN, body, nodes - 1).orElseThrow();
        assertThat(fault.path()).isEqualTo(place);
        assertThat(fault.status()).isEqualTo(413);
        assertThat(fault.tag().elementBody()).isEqualTo("too-big");
        assertThat(fault.message()).startsWith(fault.path().replace("daqfabric-operations:", ""))
            .contains("more than " + (nodes - 1) + " nodes", "write its parts one by one");
    }

    @Test
    void placeInAConfiguration() {
        assertThat(fault("PUT", "/data/daqfabric:fabrics/fabric=f/link=a,p",
            "{`daqfabric:link`:[{`switch`:`a`,`port`:`p`}]}", 3).map(Fault::path))
            .contains("/daqfabric:fabrics/fabric[name='f']/link[1]/port");
    }

    /** What ends before is refused by who reads it, and what comes after that does not count. */
    @Test
    void whatCannotBeReadIsLeftToTheParsers() {
        for (String body : new String[] { "", "{", "{`input`:", "<input", "<input></other>", "{`a`:1}}", "`x" }) {
            assertThat(fault("POST", PLAN, body, 1)).as(body).isEmpty();
        }
    }

    /** The candidate of a million list entries, in either format. */
    @Test
    void aMillionEntries() {
        int each = 1_000_000;
        Fault json = NodeCount.fault(Target.of(model, "POST", PLAN).orElseThrow(), Format.JSON,
            ("{\"input\":{\"fabric\":\"f\",\"candidate\":{\"pod\":[" + "{\"id\":1},".repeat(each - 1)
                + "{\"id\":1}]}}}").getBytes(StandardCharsets.UTF_8)).orElseThrow();
        // before it come the input, the fabric, the candidate and the list, and two for each pod
        assertThat(json.path()).isEqualTo("/daqfabric-operations:input/candidate/pod["
            + ((NodeCount.MOST - 4) / 2 + 1) + "]");
        Fault xml = NodeCount.fault(Target.of(model, "POST", PLAN).orElseThrow(), Format.XML,
            ("<input xmlns=\"urn:daqfabric:operations\"><candidate>" + "<pod/>".repeat(each) + "</candidate></input>")
                .getBytes(StandardCharsets.UTF_8)).orElseThrow();
        assertThat(xml.path()).isEqualTo("/daqfabric-operations:input/candidate/pod");
    }

    /** The largest fabric of the benchmarks, of LHCb's size, and four times as many DCMs. */
    @Test
    void noFabricIsRefused() {
        String dcms = IntStream.range(0, 16_000).mapToObj(each -> "{\"name\":\"dcm-" + each + "\",\"address\":\"10."
            + each / 256 + "." + each % 256 + ".1\",\"weight\":\"1\",\"port\":\"enp1s0\",\"mac\":\"02:00:00:00:00:01\""
            + "}").collect(Collectors.joining(","));
        String links = IntStream.range(0, 10_000).mapToObj(each -> "{\"switch\":\"s" + each + "\",\"port\":\"p1\","
            + "\"peer-switch\":\"t\",\"peer-port\":\"p" + each + "\",\"capacity\":\"10\",\"admin-state\":\"in-service\""
            + "}").collect(Collectors.joining(","));
        assertThat(NodeCount.fault(Target.of(model, "POST", PLAN).orElseThrow(), Format.JSON,
            ("{\"input\":{\"candidate\":{\"pod\":[{\"hlt-rack\":[{\"dcm\":[" + dcms + "]}]}],\"link\":[" + links
                + "]}}}").getBytes(StandardCharsets.UTF_8))).isEmpty();
    }
}
