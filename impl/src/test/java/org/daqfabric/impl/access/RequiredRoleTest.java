package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The least role for each kind of request; whatever is not foreseen is for admin. */
class RequiredRoleTest {
    private static UserRole required(String method, String uri) {
        String[] words = uri.split("\\?", 2);
        return RequiredRole.of(method, words[0], words.length < 2 ? null : words[1]);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /metrics/, SCRAPER",
        "GET, /metrics, SCRAPER",
        "GET, /daqfabric/, VIEWER",
        "GET, /daqfabric/fabric/model.js, VIEWER",
        "GET, /openapi/api/v3/single, VIEWER",
        "GET, /rests, VIEWER",
        "GET, /rests/, VIEWER",
        "GET, /rests/yang-library-version, VIEWER",
        "GET, /rests/modules/daqfabric, VIEWER",
        "GET, /rests/operations, VIEWER",
        "GET, /rests/streams/json/urn:uuid:1, VIEWER",
        "GET, /rests/data/daqfabric:fabrics, VIEWER",
        "HEAD, /rests/data/daqfabric:fabrics/fabric=a/state, VIEWER",
        "GET, /rests/data/daqfabric%3Afabrics/fabric=a%2Fb, VIEWER",
        "GET, /rests/data/daqfabric-alarms:alarms, VIEWER",
        "GET, /rests/data/daqfabric-cluster:active, VIEWER",
        "GET, /rests/data/daqfabric-run-control:run-control, VIEWER",
        "GET, /rests/data/network-topology:network-topology/topology=daqfabric%3Aa, VIEWER",
        "GET, /rests/data/opendaylight-inventory:nodes, VIEWER",
        "GET, /rests/data/ietf-restconf-monitoring:restconf-state/capabilities, VIEWER",
        "GET, /rests/data?content=config&fields=daqfabric:fabrics(fabric(name)), VIEWER",
        "GET, /rests/data?fields=daqfabric-cluster:active;daqfabric:fabrics/fabric;daqfabric-alarms:alarms(a), VIEWER",
        "GET, /rests/data?fields=daqfabric:fabrics(fabric(name;mtu)), VIEWER",
        "GET, /rests/data?fields=daqfabric%3Afabrics%28fabric%28name%29%29, VIEWER",
        "POST, /rests/operations/daqfabric-operations:plan, VIEWER",
        "POST, /rests/operations/sal-remote:create-notification-stream, VIEWER",
        "POST, /rests/operations/daqfabric-operations:resync, OPERATOR",
        "PUT, /rests/data/daqfabric:fabrics/fabric=a, OPERATOR",
        "PATCH, /rests/data/daqfabric:fabrics, OPERATOR",
        "POST, /rests/data/daqfabric:fabrics, OPERATOR",
        "DELETE, /rests/data/daqfabric:fabrics/fabric=a, OPERATOR",
        "PUT, /rests/data/daqfabric-alarms:alarms/control, OPERATOR",
    })
    void listed(String method, String path, UserRole role) {
        assertThat(required(method, path)).isEqualTo(role);
    }

    /** Everything of others, the controller's own store, and everything that could be read in another way. */
    @ParameterizedTest
    @CsvSource({
        "GET, /",
        "GET, ''",
        "GET, /auth/v1/users",
        "GET, /jolokia/",
        "GET, /other",
        "POST, /openapi/x",
        "GET, /rests/data",
        "GET, /rests/data/",
        "GET, /rests/data?content=config",
        "GET, /rests/data?fields=",
        "GET, /rests/data?fields",
        "GET, /rests/data?fields=fabrics",
        "GET, /rests/data?fields=daqfabric:fabrics;aaa-cert:aaa-cert-service-config",
        "GET, /rests/data?fields=daqfabric:fabrics(fabric);aaa-cert:aaa-cert-service-config",
        "GET, /rests/data?fields=daqfabric:fabrics(fabric)aaa-cert:aaa-cert-service-config",
        "GET, /rests/data?fields=daqfabric:fabrics(fabric;aaa-cert:aaa-cert-service-config",
        "GET, /rests/data?fields=daqfabric:fabrics);aaa-cert:aaa-cert-service-config(a",
        "GET, /rests/data?fields=daqfabric:fabrics&fields=aaa-cert:aaa-cert-service-config",
        "GET, /rests/data?fields=daqfabric:fabrics&f%69elds=aaa-cert:aaa-cert-service-config",
        "GET, /rests/data?fields=daqfabric:fabrics%3Baaa-cert:aaa-cert-service-config",
        "GET, /rests/data?fields=%ZZ",
        "PATCH, /rests/data?fields=daqfabric:fabrics",
        "PATCH, /rests/data",
        "POST, /rests/data",
        "GET, /rests/data/aaa-cert:aaa-cert-service-config",
        "GET, /rests/data/daqfabric-store:decisions",
        "PUT, /rests/data/daqfabric-store:decisions",
        "GET, /rests/data/daqfabric:fabrics/daqfabric-store:write=1",
        "PUT, /rests/data/daqfabric:fabrics/daqfabric-store%3Awrite=1",
        "PUT, /rests/data/daqfabric-run-control:run-control",
        "PUT, /rests/data/opendaylight-inventory:nodes",
        "GET, /rests/data/network-topology:network-topology",
        "GET, /rests/data/network-topology:network-topology/topology=topology-netconf",
        "GET, /rests/data/opendaylight-inventory:nodes/node=a/yang-ext:mount/x:y",
        "GET, /rests/data/ietf-restconf-monitoring:restconf-state",
        "GET, /rests/data/ietf-restconf-monitoring:restconf-state/streams",
        "POST, /rests/operations/sal-remote:create-data-change-event-subscription",
        "POST, /rests/operations/cluster-admin:add-shard-replica",
        "POST, /rests/operations",
        "PUT, /rests/operations/daqfabric-operations:plan",
        "POST, /rests/operations/daqfabric-operations:plan/x",
        "POST, /rests/unknown",
        "GET, /rests//data/daqfabric:fabrics",
        "GET, //rests/data/daqfabric:fabrics",
        "GET, /metrics/../rests/data",
        "GET, /metrics/%2e%2e/rests/data",
        "GET, /metrics/..;/rests/data",
        "GET, /metrics;x/",
        "GET, /metrics/a%2Fb",
        "GET, /rests/data/daqfabric:fabrics;x",
        "GET, /rests/data/daqfabric:fabrics/%ZZ",
        "GET, rests/data/daqfabric:fabrics",
    })
    void adminOnly(String method, String path) {
        assertThat(required(method, path)).isEqualTo(UserRole.ADMIN);
    }
}
