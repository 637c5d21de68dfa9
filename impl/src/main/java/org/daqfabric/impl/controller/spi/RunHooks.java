package org.daqfabric.impl.controller.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.impl.engine.run.FabricStatus;

/** What the fabrics ask of and report to run control. Every call returns at once. */
public interface RunHooks {
    /** The directive for a fabric whose loop starts; completes when run control has read its store. */
    CompletionStage<RunDirective> directive(String fabric);

    /** The same episodes, each with the run that was in progress in its DCM's partition when it began. */
    CompletionStage<List<DropEpisode>> withRuns(String fabric, List<DropEpisode> episodes);

    /** A fabric changed. */
    void changed(FabricStatus status);

    /** A fabric is no longer configured. */
    void removed(String fabric);
}
