package org.daqfabric.impl.northbound.request;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.model.api.TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.BooleanTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.DecimalTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EnumTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.LeafrefTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.LengthConstraint;
import org.opendaylight.yangtools.yang.model.api.type.PatternConstraint;
import org.opendaylight.yangtools.yang.model.api.type.RangeConstraint;
import org.opendaylight.yangtools.yang.model.api.type.RangeRestrictedTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.StringTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.UnionTypeDefinition;

/** What values a leaf takes, for a person to read. */
final class Expected {
    private Expected() {
    }

    static String of(TypeDefinition<?> type) {
        return switch (type) {
            case BooleanTypeDefinition unused -> "true or false";
            case EnumTypeDefinition names -> names.getValues().stream().map(EnumTypeDefinition.EnumPair::getName)
                .collect(Collectors.joining(", ", "one of ", ""));
            case DecimalTypeDefinition decimal -> "a number" + range(decimal) + " with at most "
                + decimal.getFractionDigits() + " digits after the point";
            case RangeRestrictedTypeDefinition<?, ?> whole -> "a whole number" + range(whole);
            case StringTypeDefinition text -> "a text" + text.getLengthConstraint()
                .map(LengthConstraint::getAllowedRanges).map(Expected::ranges)
                .map(lengths -> " of " + lengths + " characters").orElse("")
                + text.getPatternConstraints().stream().map(PatternConstraint::getRegularExpressionString)
                    .map(pattern -> " that matches " + pattern).collect(Collectors.joining(" and"));
            case UnionTypeDefinition union -> union.getTypes().stream().map(Expected::of)
                .distinct().collect(Collectors.joining(", or "));
            case LeafrefTypeDefinition reference -> "a value that " + reference.getPathStatement().getOriginalString()
                .replaceAll("^(?:/|(?:\\.\\./)+)", "") + " can have";
            default -> "a value of type " + type.getQName().getLocalName();
        };
    }

    private static String range(RangeRestrictedTypeDefinition<?, ?> type) {
        return type.getRangeConstraint().map(RangeConstraint::getAllowedRanges).map(Expected::ranges)
            .map(ranges -> " from " + ranges).orElse("");
    }

    private static String ranges(RangeSet<?> ranges) {
        return ranges.asRanges().stream().map(Expected::range).collect(Collectors.joining(" or "));
    }

    private static String range(Range<?> range) {
        return range.lowerEndpoint().equals(range.upperEndpoint()) ? range.lowerEndpoint().toString()
            : range.lowerEndpoint() + " to " + range.upperEndpoint();
    }
}
