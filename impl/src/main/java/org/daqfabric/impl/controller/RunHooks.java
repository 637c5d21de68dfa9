package org.daqfabric.impl.controller;

import java.util.concurrent.CompletionStage;
import org.daqfabric.impl.engine.run.Picture;

/** Run control, as the fabrics see it. Every call returns at once. */
public interface RunHooks {
    /** What is wanted of a fabric that is taken up, as soon as that is known. */
    CompletionStage<Control> wanted(String fabric);

    /** A fabric changed. */
    void seen(Picture picture);

    /** A fabric is no longer configured. */
    void removed(String fabric);
}
