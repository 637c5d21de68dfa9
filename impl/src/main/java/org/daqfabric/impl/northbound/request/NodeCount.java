package org.daqfabric.impl.northbound.request;

import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.opendaylight.yangtools.util.xml.UntrustedXML;
import org.opendaylight.yangtools.yang.common.ErrorTag;

/**
 * Refuses bodies of more nodes than a fabric of any size has, before anything is made of them: a list entry, container
 * or leaf takes hundreds of bytes when it is read, several times over, and a body within {@link SizeFilter#LONGEST} may
 * have millions. Counting takes the memory of one node at a time.
 */
final class NodeCount {
    /** Five times as many as a fabric of LHCb's size has, 4000 DCMs and 720 switches. */
    static final int MOST = 200_000;
    /** A node has two bytes at least, as in {@code [1,1]}: a shorter body need not be counted. */
    private static final int SHORT = 2 * MOST;

    private final int most;
    private int count;

    private NodeCount(int most) {
        this.most = most;
    }

    /** Says where a body has more nodes than the limit; empty if it has not, or cannot be read so far. */
    static Optional<Fault> fault(Target target, Format format, byte[] body) {
        return body.length <= SHORT ? Optional.empty() : fault(target, format, body, MOST);
    }

    static Optional<Fault> fault(Target target, Format format, byte[] body, int most) {
        NodeCount nodes = new NodeCount(most);
        return (format == Format.JSON ? nodes.beyond(new JsonReader(JsonBody.text(body))) : nodes.beyond(body))
            .map(steps -> Fault.protocol(ErrorTag.TOO_BIG, target.place().below(target.model(), steps),
                "with this the body has more than " + most + " nodes, lists, their entries, containers and leaves"
                + " together, which is more than a fabric of any size has: leave out what is not meant, or write its"
                + " parts one by one"));
    }

    /** The way to the first node beyond the limit. */
    private Optional<List<Place.Step>> beyond(JsonReader json) {
        // as the parsers read it: what one of them takes must not end the count
        json.setStrictness(Strictness.LENIENT);
        count = -1; // around all there is a pair of braces
        try {
            for (JsonToken next = json.peek(); next != JsonToken.END_DOCUMENT; next = json.peek()) {
                switch (next) {
                    case END_ARRAY -> json.endArray();
                    case END_OBJECT -> json.endObject();
                    case NAME -> json.nextName();
                    default -> {
                        if (++count > most) {
                            return Optional.of(steps(json.getPath()));
                        }
                        switch (next) {
                            case BEGIN_ARRAY -> json.beginArray();
                            case BEGIN_OBJECT -> json.beginObject();
                            default -> json.skipValue();
                        }
                    }
                }
            }
        } catch (IOException | JsonParseException | IllegalStateException e) {
            // who reads it next says what is wrong with it
        }
        return Optional.empty();
    }

    private static List<Place.Step> steps(String path) {
        List<Place.Step> steps = new ArrayList<>();
        Matcher parts = JsonBody.STEP.matcher(path);
        while (parts.find()) {
            if (parts.group(1) != null) {
                steps.add(new Place.Step(parts.group(1), 0, Map.of()));
            } else if (!steps.isEmpty()) {
                steps.add(new Place.Step(steps.remove(steps.size() - 1).name(), Integer.parseInt(parts.group(2)) + 1,
                    Map.of()));
            }
        }
        return steps;
    }

    private Optional<List<Place.Step>> beyond(byte[] body) {
        Deque<Place.Step> open = new ArrayDeque<>();
        try {
            XMLStreamReader xml = UntrustedXML.createXMLStreamReader(new ByteArrayInputStream(body));
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamReader.START_ELEMENT) {
                    open.addLast(new Place.Step(xml.getLocalName(), 0, Map.of()));
                    if (++count > most) {
                        return Optional.of(List.copyOf(open));
                    }
                } else if (event == XMLStreamReader.END_ELEMENT) {
                    open.removeLast();
                }
            }
        } catch (XMLStreamException | IllegalStateException e) {
            // who reads it next says what is wrong with it
        }
        return Optional.empty();
    }
}
