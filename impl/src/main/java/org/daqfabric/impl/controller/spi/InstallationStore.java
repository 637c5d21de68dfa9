package org.daqfabric.impl.controller.spi;

import java.util.Collection;
import java.util.concurrent.CompletionStage;

/** Keeps which installation this is, for all members of a cluster. */
public interface InstallationStore {
    /** What is stored; a new one is made and stored if none is. */
    CompletionStage<Installation> load();

    /**
     * Stores that bridges of other installations are this one's from now on.
     *
     * @return what is stored then
     */
    CompletionStage<Installation> takeOver(Collection<String> others);
}
