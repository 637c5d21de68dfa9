package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The second RESTCONF server has the table of the first. */
class RestconfRolesTest {
    @ParameterizedTest
    @CsvSource({
        "GET, /restconf/data/daqfabric:fabrics?content=config, VIEWER",
        "PUT, /restconf/data/daqfabric:fabrics/fabric=a, OPERATOR",
        "POST, /restconf/operations/daqfabric-operations:plan, VIEWER",
        "GET, /restconf/data, ADMIN",
        "GET, /restconfx/data/daqfabric:fabrics, ADMIN",
        "GET, /metrics/, ADMIN",
        "GET, http://127.0.0.1/restconf/data/daqfabric:fabrics, ADMIN",
    })
    void sameTable(String method, String uri, UserRole role) {
        assertThat(RestconfRoles.required(method, uri)).isEqualTo(role);
    }
}
