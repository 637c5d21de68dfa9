package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.PrintWriter;
import java.io.StringWriter;
import javax.servlet.FilterChain;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a browser says of where a request comes from; CrossSiteIT asks a controller, with a browser. */
class CrossSiteTest {
    private static final String JSON = "application/yang-data+json";

    private static boolean passes(String method, String site, String origin, String type) {
        return new CrossSite(site, origin, "10.0.0.1:8181", type).refusal(method).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({ "same-origin,true", "none,true", "Same-Origin,true", "same-site,false", "cross-site,false", "'',false",
        "something new,false" })
    void theSiteDecides(String site, boolean passes) {
        for (String method : new String[] { "POST", "PUT", "PATCH", "DELETE", "TRACE" }) {
            assertThat(passes(method, site, "http://10.0.0.1:8181", JSON)).as(method).isEqualTo(passes);
        }
        assertThat(passes("GET", site, "http://10.0.0.1:8181", null)).isTrue();
    }

    /** Another port of the same host is another site, whatever its cookies may. */
    @ParameterizedTest
    @CsvSource({ "http://10.0.0.1:8181,true", "https://10.0.0.1:8181,true", "http://10.0.0.1:9000,false",
        "http://10.0.0.1,false", "http://example.org,false", "null,false", "not an address,false" })
    void withoutItTheOriginDoes(String origin, boolean passes) {
        assertThat(passes("POST", null, origin, null)).isEqualTo(passes);
        assertThat(passes("OPTIONS", null, origin, null)).isTrue();
    }

    /** A program says neither; what a form could send is refused, as an old browser says neither. */
    @Test
    void withoutBothTheContentTypeDoes() {
        assertThat(passes("POST", null, null, null)).isTrue();
        assertThat(passes("PUT", null, null, JSON)).isTrue();
        assertThat(passes("POST", null, null, "application/json; charset=utf-8")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = { "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "Text/Plain" })
    void whatFormsSendIsRefused(String type) {
        assertThat(passes("POST", null, null, type)).isFalse();
        assertThat(new CrossSite(null, null, null, type).refusal("POST").orElseThrow())
            .contains(type, "application/yang-data+json");
    }

    /** By which Jolokia is asked, where a GET changes things, too. */
    @ParameterizedTest
    @CsvSource({ "same-origin,,true", "none,,true", "same-site,,false", "cross-site,http://10.0.0.1:8181,false",
        ",http://10.0.0.1:8181,true", ",http://10.0.0.1:9000,false", ",,true" })
    void anotherSiteIsKnownWhateverTheMethod(String site, String origin, boolean own) {
        assertThat(new CrossSite(site, origin, "10.0.0.1:8181", null).isOwn()).isEqualTo(own);
    }

    @Test
    void theFilterRefusesInWords() throws Exception {
        FilterChain rest = mock(FilterChain.class);
        HttpServletResponse response = mock(HttpServletResponse.class);
        StringWriter answer = new StringWriter();
        when(response.getWriter()).thenReturn(new PrintWriter(answer, true));
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn("POST");
        when(request.getHeader("Sec-Fetch-Site")).thenReturn("same-site");
        new CrossSiteFilter().doFilter(request, response, rest);
        verify(rest, never()).doFilter(any(), any());
        verify(response).setStatus(HttpServletResponse.SC_FORBIDDEN);
        assertThat(answer.toString()).contains("access-denied", "another site");
        when(request.getHeader("Sec-Fetch-Site")).thenReturn("same-origin");
        new CrossSiteFilter().doFilter(request, response, rest);
        verify(rest).doFilter(any(), any());
    }
}
