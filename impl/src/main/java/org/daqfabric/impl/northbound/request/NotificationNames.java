package org.daqfabric.impl.northbound.request;

import java.time.DateTimeException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.LeafSetNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.NotificationDefinition;
import org.opendaylight.yangtools.yang.model.api.SchemaNode;
import org.opendaylight.yangtools.yang.model.api.stmt.NotificationEffectiveStatement;

/**
 * The notifications that a request for a stream names. To the model they are any text; OpenDaylight answers what it
 * cannot read as a name, and a request without any, by a 500 and a long stack trace in the log.
 */
final class NotificationNames {
    private static final String LEAF_LIST = "notifications";
    private static final int LONGEST = 120;
    private static final int MOST = 10;
    /** What stands before a name, however somebody may have written it. */
    private static final Pattern BEFORE_NAME = Pattern.compile("(?s).*[)}:/#]");

    private NotificationNames() {
    }

    /** What is wrong with the input of that rpc; empty if nothing is, or it is another's. */
    static Optional<Fault> fault(Target target, NormalizedNode input) {
        if (!target.rpcName().equals(Optional.of(StreamRpcs.NOTIFICATIONS))
                || !(input instanceof ContainerNode container)) {
            return Optional.empty();
        }
        EffectiveModelContext model = target.model();
        Place place = target.addressed().below(model, List.of(new Place.Step(LEAF_LIST, 0, Map.of())));
        List<String> names = container.body().stream()
            .filter(child -> child.name().getNodeType().getLocalName().equals(LEAF_LIST)
                && child instanceof LeafSetNode<?>)
            .flatMap(child -> ((LeafSetNode<?>) child).body().stream()).map(entry -> String.valueOf(entry.body()))
            .toList();
        if (names.isEmpty()) {
            return Optional.of(Fault.protocol(ErrorTag.MISSING_ELEMENT, place, "name what the stream is to tell"
                + known(nearby(model, ""))));
        }
        return names.stream().filter(name -> !isKnown(model, name)).findFirst()
            .map(name -> Fault.protocol(ErrorTag.INVALID_VALUE, place, "'" + (name.length() <= LONGEST ? name
                : name.substring(0, LONGEST) + "...") + "' is no notification here" + known(nearby(model, name))));
    }

    /** Whether OpenDaylight makes a stream of it. */
    static boolean isKnown(EffectiveModelContext model, String text) {
        QName name;
        try {
            name = QName.create(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            return false;
        }
        return model.findModuleStatement(name.getModule()).flatMap(module -> module.findSchemaTreeNode(name))
            .filter(NotificationEffectiveStatement.class::isInstance).isPresent();
    }

    private static String known(List<String> names) {
        return names.size() == 1 ? ": write " + names.getFirst() : names.stream().limit(MOST)
            .collect(Collectors.joining(", ", ": there are ", names.size() > MOST ? ", ..." : ""));
    }

    /** What may have been meant: those of that name, or of the module that is named, or ours. */
    private static List<String> nearby(EffectiveModelContext model, String text) {
        String local = BEFORE_NAME.matcher(text).replaceFirst("");
        Collection<? extends NotificationDefinition> all = model.getNotifications();
        List<String> same = names(all, name -> name.getLocalName().equals(local));
        if (!same.isEmpty()) {
            return same;
        }
        List<String> module = names(all, name -> text.contains(name.getNamespace() + "?")
            || text.contains(name.getNamespace() + ")") || text.contains(Schemas.module(model, name) + ":"));
        return module.isEmpty() ? names(all, name -> Schemas.isOurs(name.getNamespace())) : module;
    }

    private static List<String> names(Collection<? extends NotificationDefinition> all, Predicate<QName> which) {
        return all.stream().map(SchemaNode::getQName).filter(which).map(QName::toString).sorted().toList();
    }
}
