package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.time.Duration;
import javax.servlet.http.HttpServletRequest;
import org.daqfabric.impl.audit.SentBody;
import org.daqfabric.impl.northbound.request.BoundedRequest.Refusal;
import org.daqfabric.impl.northbound.request.Shares.Owner;
import org.junit.jupiter.api.Test;

/** What one request and all together may take; RestconfAttackIT sends such to the controller. */
class SizeFilterTest {
    private final BodyMemory memory = new BodyMemory(120, 0);

    private BoundedRequest request(int length, long told, Duration time) throws IOException {
        return request("anna", length, told, time);
    }

    private BoundedRequest request(String user, int length, long told, Duration time) throws IOException {
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getContentLengthLong()).thenReturn(told);
        when(request.getInputStream()).thenReturn(new SentBody("x".repeat(length)));
        return new BoundedRequest(request, 60, time, memory.share(new Owner(user, true)));
    }

    @Test
    void aBodyTakesItsLengthUntilItsRequestIsOver() throws IOException {
        BoundedRequest request = request(60, -1, Duration.ofMinutes(1));
        assertThat(request.getInputStream().readAllBytes()).hasSize(60);
        assertThat(memory.taken()).isEqualTo(60);
        request.release();
        request.release();
        assertThat(memory.taken()).isZero();
        assertThat(request.refusal()).isEmpty();
    }

    @Test
    void oneThatSaysThatItIsTooLongIsNotRead() throws IOException {
        assertThat(request(0, 61, Duration.ofMinutes(1)).refusal()).contains(Refusal.TOO_LONG);
    }

    @Test
    void readingEndsAtEveryLimit() throws IOException {
        refused(request(61, -1, Duration.ofMinutes(1)), Refusal.TOO_LONG);
        refused(request(1, -1, Duration.ZERO), Refusal.TOO_SLOW);
        BoundedRequest first = request(60, 60, Duration.ofMinutes(1));
        first.getInputStream().readAllBytes();
        refused(request(1, 1, Duration.ofMinutes(1)), Refusal.NO_MEMORY);
        BoundedRequest other = request("bert", 60, 60, Duration.ofMinutes(1));
        other.getInputStream().readAllBytes();
        refused(request("carl", 1, 1, Duration.ofMinutes(1)), Refusal.NO_MEMORY);
        first.release();
        other.release();
        assertThat(memory.taken()).isZero();
    }

    private static void refused(BoundedRequest request, Refusal why) throws IOException {
        var body = request.getInputStream();
        assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class).hasMessage(why.message);
        assertThat(request.refusal()).contains(why);
        request.release();
    }
}
