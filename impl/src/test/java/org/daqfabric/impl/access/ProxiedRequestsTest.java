package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Collections;
import java.util.List;
import javax.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only a proxy that the settings name is believed who has asked it, and only what it says itself. */
class ProxiedRequestsTest {
    private final ProxiedRequests known = new ProxiedRequests("192.0.2.1, fd00::1");

    /** Who has asked, as what follows sees it. */
    private static String asker(ProxiedRequests requests, String peer, String... forwarded) {
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getRemoteAddr()).thenReturn(peer);
        when(request.getHeaders("Forwarded")).thenReturn(Collections.enumeration(List.of(forwarded)));
        return requests.of(request).getRemoteAddr();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "for=198.51.100.7|198.51.100.7",
        "For=198.51.100.7:4711|198.51.100.7",
        "proto=https;for=\"198.51.100.7:80\";by=192.0.2.1|198.51.100.7",
        "for=\"[fd00::7]:4711\"|[fd00::7]",
        "for=\"[fd00:0:0::7]\"|[fd00::7]",
        "for=fd00::7|[fd00::7]",
        "for=\"a,b\";for=203.0.113.9, for=198.51.100.7|198.51.100.7",
        "for=203.0.113.9, for=fd00::1|203.0.113.9",
        "for=203.0.113.9, for=198.51.100.7, for=fd00::1|198.51.100.7"})
    void theNewestAddressThatNoProxyHas(String forwarded, String client) {
        assertThat(asker(known, "192.0.2.1", forwarded)).isEqualTo(client);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {"for=unknown", "for=_hidden", "by=198.51.100.7", "for=control1", "for=",
        "for=203.0.113.9, for=_hidden", "for=203.0.113.9, by=192.0.2.1", "\"for=203.0.113.9"})
    void whatIsNoAddressIsTheProxy(String forwarded) {
        assertThat(asker(known, "192.0.2.1", forwarded)).isEqualTo("192.0.2.1");
    }

    @Test
    void manyHeadersAreOne() {
        assertThat(asker(known, "[fd00:0::1]", "for=203.0.113.9", "for=198.51.100.7")).isEqualTo("198.51.100.7");
        assertThat(asker(known, "192.0.2.1")).isEqualTo("192.0.2.1");
    }

    @Test
    void othersAreNotBelieved() {
        assertThat(asker(known, "198.51.100.7", "for=203.0.113.9")).isEqualTo("198.51.100.7");
        assertThat(asker(new ProxiedRequests(""), "192.0.2.1", "for=203.0.113.9")).isEqualTo("192.0.2.1");
        assertThat(asker(new ProxiedRequests("192.0.2.1,proxy1"), "192.0.2.1", "for=203.0.113.9"))
            .isEqualTo("192.0.2.1");
    }
}
