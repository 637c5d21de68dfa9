package org.daqfabric.impl;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows that the bundle starts; replaced by the controller. */
@Component(immediate = true, service = {})
public final class Placeholder {
    private static final Logger LOG = LoggerFactory.getLogger(Placeholder.class);

    @Activate
    public Placeholder() {
        LOG.info("daqfabric bundle started");
    }
}
