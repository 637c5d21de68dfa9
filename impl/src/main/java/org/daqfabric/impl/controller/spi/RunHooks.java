package org.daqfabric.impl.controller.spi;

import java.util.concurrent.CompletionStage;
import org.daqfabric.impl.engine.run.FabricStatus;

/** Run control, as the fabrics see it. Every call returns at once. */
public interface RunHooks {
    /** What is wanted of a fabric that is taken up, as soon as that is known. */
    CompletionStage<RunDirective> wanted(String fabric);

    /** A fabric changed. */
    void seen(FabricStatus picture);

    /** A fabric is no longer configured. */
    void removed(String fabric);
}
