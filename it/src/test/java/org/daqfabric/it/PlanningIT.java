package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The planning rpcs over RESTCONF, with one number of each; unit tests check all numbers. */
@ExtendWith(SharedController.class)
class PlanningIT {
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab) {
        fabric = lab.converged(lab.generate("plan", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2"));
    }

    @ParameterizedTest(name = "{0}: {2} is {3}")
    @CsvSource(delimiter = '|', value = {
        "bandwidth     | 'planes':4,'spines':5,'pods':4,'ros':100,'racks':28                                   | bandwidth       | 1066.67",
        "goodput       | 'ros':200,'fragments':12,'fragment-size':1000,'bandwidth':'1'                         | latency         | 20.34",
        "goodput       | 'ros':12,'fragment-size':131072,'bandwidth':'120'                                     | goodput         | 113.890",
        "size-daqrings | 'ros':110,'fragment-size':131072,'max-burst':32,'polling-interval':500                | ring-size       | 10010",
        "size-daqrings | 'ros':6,'fragment-size':131072,'rate':'1.472','dcms-per-rack':8                       | rack-limit      | 11.776",
        "size-fabric   | 'ros':100,'racks':28,'fragments':12,'fragment-size':1000,'event-rate':'100000'        | switches        | 36",
        "cost          | 'ports':768,'spines':10                                                               | switches        | 36",
        "cost          | 'ports':256,'spines':5                                                                | reference-price | 699722",
        "incast        | 'ros':147,'bandwidth':'1','buffer':'500000'                                           | buffer-needed   | 416000",
        "bandwidth     | 'fabric':'FABRIC'                                                                     | bandwidth       | 40",
        "bandwidth     | 'fabric':'FABRIC','planes':1                                                          | bandwidth       | 20",
        "size-daqrings | 'fabric':'FABRIC','fragment-size':131072                                              | ring-size       | 182",
    })
    void givesTheNumber(final String rpc, final String input, final String leaf, final double expected,
            final Restconf restconf) {
        assertThat(call(restconf, rpc, input).orFail().json().getAsJsonObject("daqfabric-planning:output").get(leaf)
            .getAsDouble()).isCloseTo(expected, within(0.005));
    }

    /** Input that is out of range, missing, not a number, contradictory or unknown gives a 400 that names the leaf. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', value = {
        "bandwidth     | 'planes':0,'spines':5,'pods':4,'ros':100,'racks':28           | /input/planes: 0 is out of range: 1 to 255",
        "bandwidth     | 'planes':-1,'spines':5,'pods':4,'ros':100,'racks':28          | /input/planes: -1 is out of range: 1 to 255",
        "bandwidth     | 'spines':5,'pods':4,'ros':100                                 | /input/racks: is missing",
        "bandwidth     | 'fabric':'nobody'                                             | /input/fabric: there is no fabric nobody",
        "bandwidth     | 'fabric':''                                                   | /input/fabric: there is no fabric",
        "goodput       | 'ros':200,'fragment-size':1000,'bandwidth':'0.0005'           | /input/bandwidth: 0.0005 is out of range: 0.001 to 1000000",
        "goodput       | 'ros':'many','fragment-size':1000,'bandwidth':'1'              | /input/ros: this is no whole number",
        "size-daqrings | 'ros':6,'fragment-size':1000,'rate':'1','polling-interval':33 | /input/rate: the rate follows",
        "size-daqrings | 'fabric':'nobody','fragment-size':1000                        | /input/fabric: there is no fabric nobody",

        "size-fabric   | 'ros':6,'racks':6,'fragment-size':131072,'event-rate':'100000' | /input/event-rate: 662.899 Gbps are needed",
        "cost          | 'ports':256,'spines':40                                       | /input/spines: a leaf with 40 ports",
        "incast        | 'ros':147                                                     | /input/buffer: is missing",
        "host-profile  | 'fabric':'FABRIC','host':'nobody'                             | /input/host: fabric",
        "host-profile  | 'fabric':'FABRIC'                                             | /input/host: is missing",
    })
    void refusesWithTheLeaf(final String rpc, final String input, final String why, final Restconf restconf) {
        final var answer = call(restconf, rpc, input);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.errors()).contains(why);
    }

    /** Empty input is refused. */
    @ParameterizedTest
    @ValueSource(strings = { "bandwidth", "goodput", "size-daqrings", "size-fabric", "cost", "incast", "host-profile" })
    void emptyInputIsRefused(final String rpc, final Restconf restconf) {
        final var answer = call(restconf, rpc, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.errors()).contains("/input/", "is missing");
    }

    /**
     * Hosts of the lab apply the profile and reach each other. Their interfaces are virtual, so ethtool is left out; so is what
     * sets the machine's processors up.
     */
    @Test
    void hostsWorkWithTheirProfile(final Restconf restconf) {
        for (var host : fabric.file().hosts().values()) {
            final var output = call(restconf, "host-profile", "'fabric':'FABRIC','host':'" + host.name() + "'").orFail()
                .json()
                .getAsJsonObject("daqfabric-planning:output");
            assertThat(output.getAsJsonArray("setting").asList()).extracting(JsonElement::getAsJsonObject)
                .allMatch(setting -> setting.has("source") && setting.has("not-when"));
            final var script = output.get("script").getAsString().lines()
                .filter(line -> !line.startsWith("ethtool") && !line.startsWith("for each in /sys/"))
                .reduce("set -e\n", (all, line) -> all + line + "\n");
            fabric.daqlab("exec", host.name(), "--", "sh", "-c", script);
            assertThat(fabric.daqlab("exec", host.name(), "--", "ip", "route")).contains("rto_min", "congctl cubic");
        }
        fabric.assertAllReachable();
    }

    /** The equations do not hold for an uneven fabric, and the answer says so. */
    @Test
    void unevenFabricsAreNotCalculated(final Lab lab, final Restconf restconf) {
        final var file = lab.generate("odd", "--planes 1 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 1");
        file.removeLink("p1l1", "to-p1s2");
        final var odd = "data/daqfabric:fabrics/fabric=" + file.name();
        restconf.put(odd, file.json()).orFail();
        try {
            // a PUT is answered slightly before the controller receives it
            await().untilAsserted(() -> {
                final var answer = call(restconf, "bandwidth", "'fabric':'" + file.name() + "'");
                assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
                assertThat(answer.errors()).contains("/input/fabric: ", "is not regular", "p1l1");
            });
        } finally {
            restconf.delete(odd).orFail();
        }
    }

    private static Restconf.Answer call(final Restconf restconf, final String rpc, final String input) {
        return restconf.post("operations/daqfabric-planning:" + rpc,
            "{\"input\":{" + input.replace("FABRIC", fabric.name()).replace('\'', '"') + "}}");
    }
}
