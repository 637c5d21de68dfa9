package org.daqfabric.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.hooks.weaving.WeavingHook;
import org.osgi.framework.hooks.weaving.WovenClass;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has OpenDaylight's journal corrected when its class is loaded, which is when the datastore starts, and takes back
 * before what a killed controller has begun to write.
 */
public final class Activator implements BundleActivator, WeavingHook {
    private static final Logger LOG = LoggerFactory.getLogger(Activator.class);
    private static final String JOURNAL = "org.opendaylight.controller.raft-journal";
    private static final String RECOVERY = "org.opendaylight.controller.sal-akka-raft";
    /** Where OpenDaylight has its journals. */
    private static final Path STATE = Path.of("state");

    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private BundleContext bundles;

    @Override
    public void start(BundleContext context) {
        bundles = context;
        bundles.registerService(WeavingHook.class, this, null);
        if (Arrays.stream(bundles.getBundles())
                .anyMatch(each -> JOURNAL.equals(each.getSymbolicName()) && each.getState() == Bundle.ACTIVE)) {
            LOG.warn("OpenDaylight's datastore runs already: restart the controller, so that its journal is corrected"
                + " (CONTROLLER-2181). Until then it can stop to take any write after two of more than 256 KiB");
        } else {
            undoBegunWrites();
        }
    }

    private static void undoBegunWrites() {
        try {
            BegunWrites.undo(STATE);
        } catch (IOException | UncheckedIOException e) {
            LOG.error("OpenDaylight's journals in {} could not be looked at: if one of them does not open, the"
                + " controller was killed while it wrote", STATE.toAbsolutePath(), e);
        }
    }

    @Override
    public void stop(BundleContext context) {
        // the framework takes the service back; the class stays as it is
    }

    @Override
    public void weave(WovenClass loaded) {
        if (CorrectedBuffer.CLASS.equals(loaded.getClassName())) {
            correct(loaded, CorrectedBuffer::of, "journal", "CONTROLLER-2181");
        } else if (AppliedEntries.CLASS.equals(loaded.getClassName())) {
            boolean known = Arrays.stream(bundles.getBundles()).anyMatch(each ->
                RECOVERY.equals(each.getSymbolicName()) && AppliedEntries.VERSIONS.includes(each.getVersion()));
            correct(loaded, code -> known ? AppliedEntries.of(code) : Optional.empty(), "recovery",
                "all that a shard without other members has is applied");
        }
    }

    private void correct(WovenClass loaded, Function<byte[], Optional<byte[]>> correction, String part, String how) {
        correction.apply(loaded.getBytes()).ifPresentOrElse(corrected -> {
            loaded.setBytes(corrected);
            tell(part + " is corrected (" + how + ")");
        }, () -> tell(part + " is of a version that is not corrected"));
    }

    /** Once: shards start at the same time, and each may begin to load the class. */
    private void tell(String what) {
        if (told.add(what)) {
            LOG.info("OpenDaylight's {}", what);
        }
    }
}
