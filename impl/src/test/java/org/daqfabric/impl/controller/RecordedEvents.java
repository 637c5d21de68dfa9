package org.daqfabric.impl.controller;

import java.util.ArrayList;
import java.util.List;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.impl.runcontrol.RunListener;
import org.daqfabric.impl.runcontrol.SequencedEvent;

/** Records the notifications for subscribers. */
final class RecordedEvents implements RunListener {
    final List<SequencedEvent> events = new ArrayList<>();
    List<PartitionState> partitions = List.of();

    @Override
    public void partitionsChanged(List<PartitionState> states) {
        partitions = states;
    }

    @Override
    public void eventOccurred(SequencedEvent event) {
        events.add(event);
    }

    /** The texts of one kind of notification, in order. */
    List<String> texts(String kind) {
        return events.stream().filter(event -> event.content().kind().equals(kind))
            .map(event -> event.content().text()).toList();
    }
}
