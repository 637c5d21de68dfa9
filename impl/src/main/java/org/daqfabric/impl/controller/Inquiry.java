package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.spi.RuleChannel;

/**
 * Asks switches in doubt that seem to be connected: it may take seconds to notice that a connection has ended, and one
 * that answers has not restarted. Belongs to the fabric's event loop.
 */
final class Inquiry {
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final FabricModel model;
    private final EventLoop loop;
    private final LinkTracker links;
    private final RuleChannel rules;
    /** Switches that have not answered, or were asked just now. */
    private final Set<String> asked = new HashSet<>();

    Inquiry(FabricModel model, EventLoop loop, LinkTracker links, RuleChannel rules) {
        this.model = model;
        this.loop = loop;
        this.links = links;
        this.rules = rules;
    }

    void update() {
        links.doubt().connected().stream().filter(asked::add).forEach(this::ask);
    }

    private void ask(String switchName) {
        loop.then(rules.read(model.topology().datapathId(switchName)), (answer, failure) -> {
            if (failure == null) {
                model.update(switchName, SwitchView::heard);
            }
            loop.after(AGAIN, () -> asked.remove(switchName));
        });
    }
}
