package org.daqfabric.impl.northbound.request;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;

/**
 * Where something is in a request.
 *
 * @param path its instance path
 * @param parent the node of the model above it
 * @param node what the model has there; empty if it has nothing
 */
record Place(String path, Object parent, Optional<DataSchemaNode> node) {
    /**
     * One step down in a body.
     *
     * @param name as it is in the body: in JSON it may have its module in front
     * @param position of a list entry, from 1; 0 if it is not known or there is none
     * @param leaves what is known of its leaves, by name, keys among them
     */
    record Step(String name, int position, Map<String, String> leaves) {
    }

    /** The place as our messages begin: the input of an rpc has no module there. */
    String shown() {
        return path.isEmpty() ? "/" : path.replaceFirst("^/[^/:]+:input(?=$|/)", "/input");
    }

    /** The node of the model that is there; if the model has nothing there, the one above. */
    Object nearest() {
        return node.isPresent() ? node.get() : parent;
    }

    /** A place below this one. */
    Place below(EffectiveModelContext model, List<Step> steps) {
        Place place = this;
        for (Step step : steps) {
            Object above = place.nearest();
            Optional<DataSchemaNode> child = Schemas.child(model, above, step.name);
            if (child.isEmpty()) {
                return new Place(place.path + "/" + step.name, above, child);
            }
            place = place.child(model, child.get(), step);
        }
        return place;
    }

    private Place child(EffectiveModelContext model, DataSchemaNode child, Step step) {
        return new Place(path + "/" + name(model, child.getQName()) + (child instanceof ListSchemaNode list
            ? keys(list, step) : ""), nearest(), Optional.of(child));
    }

    /** With its module where that is not the one of the node above (RFC 7951, section 4). */
    String name(EffectiveModelContext model, QName name) {
        boolean same = !path.isEmpty() && node.filter(above -> above.getQName().getModule().equals(name.getModule()))
            .isPresent();
        return same ? name.getLocalName() : Schemas.module(model, name) + ":" + name.getLocalName();
    }

    private static String keys(ListSchemaNode list, Step step) {
        List<String> names = list.getKeyDefinition().stream().map(QName::getLocalName).toList();
        if (!names.isEmpty() && step.leaves.keySet().containsAll(names)) {
            return names.stream().map(name -> key(name, step.leaves.get(name))).collect(Collectors.joining());
        }
        return step.position > 0 ? "[" + step.position + "]" : "";
    }

    /** A key of a list entry, as paths have it. */
    static String key(String name, String value) {
        char quote = value.indexOf('\'') < 0 ? '\'' : '"';
        return "[" + name + "=" + quote + value + quote + "]";
    }
}
