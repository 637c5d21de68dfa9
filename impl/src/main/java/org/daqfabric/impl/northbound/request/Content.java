package org.daqfabric.impl.northbound.request;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.impl.author.Reserved;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.schema.ChoiceNode;
import org.opendaylight.yangtools.yang.data.api.schema.LeafSetNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNodeContainer;
import org.opendaylight.yangtools.yang.data.api.schema.UnkeyedListNode;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizationResult;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;

/** What a body can be that the parsers take, and RESTCONF or the datastore does not. */
final class Content {
    private final Target target;
    private final Deque<Place.Step> steps = new ArrayDeque<>();

    private Content(Target target) {
        this.target = target;
    }

    /** What is wrong with what was read; empty if nothing is. */
    static Optional<Fault> fault(Target target, @Nullable NormalizationResult<?> result) {
        if (result == null) {
            return Optional.of(Fault.protocol(ErrorTag.MALFORMED_MESSAGE, target.addressed(),
                "the body is empty" + beginning(target)));
        }
        NormalizedNode data = result.data();
        QName name = data.name().getNodeType();
        if (target.child().isPresent() && !(data instanceof ChoiceNode) && !name.equals(target.child().get())) {
            return Optional.of(Fault.protocol(ErrorTag.MALFORMED_MESSAGE, target.addressed(), "the body is "
                + name.getLocalName() + " instead" + beginning(target)));
        }
        if (isList(data) && ((NormalizedNodeContainer<?>) data).isEmpty()) {
            return Optional.of(Fault.protocol(ErrorTag.INVALID_VALUE, target.addressed(), "the list "
                + name.getLocalName() + " is empty: give an entry"));
        }
        return target.isOperation() ? NotificationNames.fault(target, data)
            : new Content(target).reserved(data).or(() -> key(target, data)).or(() -> entry(target, data));
    }

    /** What is written to a list entry is that entry alone: another one would be written elsewhere, or not at all. */
    private static Optional<Fault> entry(Target target, NormalizedNode data) {
        String addressed = target.addressed().path();
        return data instanceof MapNode list && target.child().isPresent() && addressed.endsWith("]")
            ? list.body().stream().map(other -> target.place().below(target.model(), List.of(step(other))))
                .filter(place -> !place.path().equals(addressed)).findFirst()
                .map(place -> Fault.protocol(ErrorTag.INVALID_VALUE, target.addressed(), "the body has "
                    + place.path().substring(target.place().path().length() + 1)
                    + ": give the keys of the entry that is addressed, and no other entry"))
            : Optional.empty();
    }

    /** A key of an entry is what its address says: the datastore fails over another one. */
    private static Optional<Fault> key(Target target, NormalizedNode data) {
        QName name = data.name().getNodeType();
        if (!(target.place().node().orElse(null) instanceof ListSchemaNode list)
                || !list.getKeyDefinition().contains(name)) {
            return Optional.empty();
        }
        String value = String.valueOf(data.body());
        return target.place().path().contains(Place.key(name.getLocalName(), value)) ? Optional.empty()
            : Optional.of(Fault.protocol(ErrorTag.INVALID_VALUE, target.addressed(),
                "this is a key of the entry and stays as it is: write an entry with the other key, then delete this"));
    }

    private static String beginning(Target target) {
        return target.child().map(name -> ": begin it with {\"" + (target.place().path().isEmpty()
            ? target.addressed().path().substring(1).replaceFirst("\\[.*", "") : Schemas.module(target.model(), name)
                + ":" + name.getLocalName()) + "\": ...").orElse(": give what is to be created"
                + (target.isRoot() ? ", as in {\"daqfabric:fabrics\": ...}" : ""));
    }

    private static boolean isList(NormalizedNode node) {
        return node instanceof MapNode || node instanceof LeafSetNode || node instanceof UnkeyedListNode;
    }

    /** What is wrong with a request because of where it writes, whatever that is; empty if nothing is. */
    static Optional<Fault> reserved(Target target) {
        return target.reserved().map(why -> Fault.protocol(why.tag(), target.addressed(), why.message()));
    }

    private Optional<Fault> reserved(NormalizedNode data) {
        return reserved(target).or(() -> within(target.place().nearest(), data).map(why -> Fault.protocol(why.tag(),
            target.place().below(target.model(), List.copyOf(steps)), why.message())));
    }

    /** Why a node must not be written, or one in it; the place of that is then in the steps. */
    private Optional<Reserved> within(Object parent, NormalizedNode node) {
        if (node instanceof ChoiceNode || isList(node)) {
            return first(parent, (NormalizedNodeContainer<?>) node);
        }
        Optional<DataSchemaNode> schema = Schemas.children(parent)
            .filter(child -> child.getQName().equals(node.name().getNodeType())).findFirst();
        Optional<Reserved> found = schema.flatMap(known -> Reserved.node(known)
            .or(() -> node instanceof NormalizedNodeContainer<?> container ? first(known, container)
                : Optional.empty()));
        if (found.isPresent()) {
            steps.addFirst(step(node));
        }
        return found;
    }

    private Optional<Reserved> first(Object parent, NormalizedNodeContainer<?> container) {
        return container.body().stream().flatMap(child -> within(parent, child).stream()).findFirst();
    }

    private static Place.Step step(NormalizedNode node) {
        Map<String, String> keys = new HashMap<>();
        if (node.name() instanceof NodeIdentifierWithPredicates entry) {
            entry.entrySet().forEach(key -> keys.put(key.getKey().getLocalName(), key.getValue().toString()));
        }
        return new Place.Step(node.name().getNodeType().getLocalName(), 0, keys);
    }
}
