package org.daqfabric.impl.northbound.request;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;

/** XML that remembers where its reader is: the elements around it, with the leaves that were read of each. */
final class TrackedXml extends StreamReaderDelegate {
    private final Deque<Place.Step> open = new ArrayDeque<>();
    private String value;
    private boolean atEnd;

    TrackedXml(XMLStreamReader xml) {
        super(xml);
    }

    /** From the root to the element that was read last. */
    List<Place.Step> steps() {
        return StreamSupport.stream(((Iterable<Place.Step>) open::descendingIterator).spliterator(), false).toList();
    }

    /** The text of that element, if it is one that has a text. */
    Optional<String> value() {
        return Optional.ofNullable(value);
    }

    @Override
    public int next() throws XMLStreamException {
        return moved(super.next());
    }

    @Override
    public int nextTag() throws XMLStreamException {
        return moved(super.nextTag());
    }

    @Override
    public String getElementText() throws XMLStreamException {
        Place.Step leaf = open.pop();
        if (!open.isEmpty()) {
            open.peek().leaves().remove(leaf.name());
        }
        open.push(leaf);
        String text = super.getElementText();
        value = text;
        atEnd = true;
        open.pop();
        if (!open.isEmpty()) {
            open.peek().leaves().put(leaf.name(), text);
        }
        open.push(leaf);
        return text;
    }

    private int moved(int event) {
        if (atEnd) {
            open.pop();
            atEnd = false;
        }
        value = null;
        if (event == START_ELEMENT) {
            Map<String, String> leaves = new HashMap<>();
            open.push(new Place.Step(getLocalName(), 0, leaves));
        } else if (event == END_ELEMENT) {
            atEnd = true; // still the element that was read last
        }
        return event;
    }
}
