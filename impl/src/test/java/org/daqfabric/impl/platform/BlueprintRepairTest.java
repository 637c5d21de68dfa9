package org.daqfabric.impl.platform;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.aaa.encrypt.AAAEncryptionService;
import org.opendaylight.aaa.shiro.web.env.AAAShiroWebEnvironment;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

class BlueprintRepairTest {
    private static final String CERTIFICATES = "org.opendaylight.aaa.cert.api.ICertificateManager";
    private static final String LOGINS = AAAShiroWebEnvironment.class.getName();

    private final AtomicLong nanos = new AtomicLong();
    private final BundleContext bundles = mock(BundleContext.class);
    private final Bundle cert = mock(Bundle.class);
    private final Bundle shiro = mock(Bundle.class);
    private final BlueprintRepair repair = new BlueprintRepair(bundles, nanos::get);

    @BeforeEach
    void everythingHasStarted() throws InvalidSyntaxException {
        container("aaa.cert", cert);
        container("aaa.shiro", shiro);
        service(AAAEncryptionService.class.getName(), true);
        service(CERTIFICATES, true);
        service(LOGINS, true);
    }

    private void container(String name, Bundle bundle) throws InvalidSyntaxException {
        ServiceReference<?> container = mock(ServiceReference.class);
        when(container.getBundle()).thenReturn(bundle);
        when(bundles.getAllServiceReferences(any(), contains(name))).thenReturn(new ServiceReference[] {container});
    }

    private void service(String name, boolean isThere) throws InvalidSyntaxException {
        when(bundles.getAllServiceReferences(eq(name), eq(null)))
            .thenReturn(isThere ? new ServiceReference[] {mock(ServiceReference.class)} : null);
    }

    private void checkAfterPatience() {
        repair.check();
        nanos.addAndGet(BlueprintRepair.PATIENCE.toNanos());
        repair.check();
    }

    @Test
    void bundleWhoseServiceStaysAwayIsStartedAnew() throws Exception {
        service(LOGINS, false);
        checkAfterPatience();
        var order = inOrder(shiro);
        order.verify(shiro).stop(Bundle.STOP_TRANSIENT);
        order.verify(shiro).start(Bundle.START_TRANSIENT);
        verify(cert, never()).stop(Bundle.STOP_TRANSIENT);
    }

    @Test
    void onlyTheFirstOfTwoThatNeedEachOtherIs() throws Exception {
        service(CERTIFICATES, false);
        service(LOGINS, false);
        checkAfterPatience();
        verify(cert).start(Bundle.START_TRANSIENT);
        verify(shiro, never()).stop(Bundle.STOP_TRANSIENT);
    }

    @Test
    void othersAreLeftAlone() throws Exception {
        checkAfterPatience();
        service(LOGINS, false);
        repair.check();
        service(LOGINS, true);
        nanos.addAndGet(BlueprintRepair.PATIENCE.toNanos());
        repair.check();
        service(LOGINS, false);
        repair.check();
        nanos.addAndGet(BlueprintRepair.PATIENCE.toNanos() - 1);
        repair.check();
        when(bundles.getAllServiceReferences(any(), contains("aaa.shiro"))).thenReturn(null);
        checkAfterPatience();
        verify(shiro, never()).stop(Bundle.STOP_TRANSIENT);
        verify(cert, never()).stop(Bundle.STOP_TRANSIENT);
    }

    @Test
    void failedStartIsTriedAgainAfterAWhile() throws Exception {
        service(LOGINS, false);
        doThrow(new BundleException("not now")).when(shiro).start(Bundle.START_TRANSIENT);
        checkAfterPatience();
        repair.check();
        verify(shiro).stop(Bundle.STOP_TRANSIENT);
        checkAfterPatience();
        verify(shiro, times(2)).stop(Bundle.STOP_TRANSIENT);
    }
}
