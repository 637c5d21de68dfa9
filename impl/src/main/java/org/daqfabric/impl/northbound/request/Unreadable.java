package org.daqfabric.impl.northbound.request;

import com.google.common.base.Throwables;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.data.api.YangNetconfError;
import org.opendaylight.yangtools.yang.data.api.YangNetconfErrorAware;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;

/** What to say about a body that a parser of OpenDaylight tripped over. */
final class Unreadable {
    private static final int LONGEST_VALUE = 60;
    private static final int MOST_NAMES = 30;

    private Unreadable() {
    }

    /**
     * The fault.
     *
     * @param steps from the target's node to the place where the parser was; none if that is not known
     * @param value what is written there; empty if that is more than a single value
     * @param failure of the parser
     */
    static Fault at(Target target, List<Place.Step> steps, Optional<String> value, Throwable failure) {
        if (steps.isEmpty()) {
            return Fault.protocol(ErrorTag.MALFORMED_MESSAGE, target.addressed(), text(failure));
        }
        Place place = target.place().below(target.model(), steps);
        if (place.node().isEmpty()) {
            return Fault.protocol(ErrorTag.UNKNOWN_ELEMENT, place, "there is no such node" + names(target, place));
        }
        if (place.node().get() instanceof TypedDataSchemaNode leaf) {
            String expected = Expected.of(leaf.getType());
            String message = ofModel(failure).orElseGet(() -> value.map(text -> "'" + shortened(text) + "' is not "
                + expected).orElse("give " + expected));
            return Fault.protocol(ErrorTag.INVALID_VALUE, place, message);
        }
        return Fault.protocol(ErrorTag.MALFORMED_MESSAGE, place, value.isPresent()
            ? "'" + shortened(value.get()) + "' is no " + kind(place) : text(failure));
    }

    private static String kind(Place place) {
        return place.node().get() instanceof ListSchemaNode ? "list of entries" : "container of nodes";
    }

    /** The names that there are instead. */
    private static String names(Target target, Place place) {
        List<String> names = Schemas.children(place.parent()).map(child -> child.getQName().getLocalName()).sorted()
            .toList();
        return names.isEmpty() ? ": a value has none below it" : names.stream().limit(MOST_NAMES)
            .collect(Collectors.joining(", ", ": there are ", names.size() > MOST_NAMES ? ", ..." : ""));
    }

    /** The message that the model itself has for such a value. */
    private static Optional<String> ofModel(Throwable failure) {
        return Throwables.getCausalChain(failure).stream().filter(YangNetconfErrorAware.class::isInstance)
            .flatMap(aware -> ((YangNetconfErrorAware) aware).getNetconfErrors().stream())
            .map(YangNetconfError::message)
            .filter(message -> message != null && !message.startsWith("Invalid ")
                && !message.startsWith("Supplied value ")).findFirst();
    }

    /** The parser's own words, without what tells a user nothing. */
    private static String text(Throwable failure) {
        Throwable telling = failure;
        while (telling.getCause() != null && (telling.getMessage() == null
                || telling.getMessage().equals(telling.getCause().toString()))) {
            telling = telling.getCause();
        }
        String text = telling.getMessage() == null ? telling.getClass().getSimpleName() : telling.getMessage();
        return shortened(text.replaceAll("\\(urn:[^)]*\\)", "").replaceAll("(?s)^ParseError at [^\n]*\nMessage: ", "")
            .replaceAll("(?s)\\s+", " ").strip(), 300);
    }

    private static String shortened(String text) {
        return shortened(text, LONGEST_VALUE);
    }

    private static String shortened(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "...";
    }
}
