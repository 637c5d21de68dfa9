package org.daqfabric.impl.northbound.request;

import java.text.ParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.impl.author.Reserved;
import org.opendaylight.restconf.api.ApiPath;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/**
 * What a request addresses, and so what its body must be: a child of a node of the model.
 *
 * @param parent the node of the model whose child the body is, with all those above it
 * @param place that node in the data
 * @param child the child that the body must be; empty if it may be any
 * @param addressed what the request's address names
 * @param reserved why nobody may write there; empty if one may
 * @param depth of what is addressed
 */
record Target(EffectiveModelContext model, SchemaInferenceStack parent, Place place, Optional<QName> child,
        Place addressed, Optional<Reserved> reserved, Depth depth) {
    private static final String DATA = "/data";
    private static final String OPERATIONS = "/operations/";

    /**
     * How deep in the data a node is.
     *
     * @param node arguments of the path to it
     * @param entry arguments of the path to the last list entry on the way, or itself; 0 if there is none
     */
    record Depth(int node, int entry) {
        static final Depth ROOT = new Depth(0, 0);

        /** A node below; a list is one, and so is its entry, and each choice on the way to it. */
        private Depth below(int choices, boolean isEntry) {
            int list = node + choices + 1;
            return isEntry ? new Depth(list + 1, list + 1) : new Depth(list, entry);
        }
    }

    /**
     * What a request addresses; empty if that is neither of our modules nor an rpc that makes a stream, or nothing that
     * the model has: RESTCONF says so itself.
     *
     * @param path of the request below that of RESTCONF
     */
    static Optional<Target> of(EffectiveModelContext model, String method, String path) {
        try {
            if (path.startsWith(OPERATIONS)) {
                return operation(model, ApiPath.parseUrl(path.substring(OPERATIONS.length())));
            }
            if (path.equals(DATA) || path.equals(DATA + "/")) {
                SchemaInferenceStack root = SchemaInferenceStack.of(model);
                Place top = new Place("", model, Optional.empty());
                return method.equals("POST") || method.equals("PATCH") ? Optional.of(
                    new Target(model, root, top, Optional.empty(), top, Optional.empty(), Depth.ROOT))
                    : Optional.empty();
            }
            return path.startsWith(DATA + "/")
                ? data(model, method, ApiPath.parseUrl(path.substring(DATA.length() + 1))) : Optional.empty();
        } catch (ParseException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether it is the whole datastore, of which only the body tells whether it is about us. */
    boolean isRoot() {
        return addressed.path().isEmpty();
    }

    /** Whether the body is the input of an rpc. */
    boolean isOperation() {
        return rpc().isPresent();
    }

    /** The rpc whose input the body is; empty if it is none. */
    Optional<QName> rpc() {
        return place.parent() instanceof RpcDefinition rpc ? Optional.of(rpc.getQName()) : Optional.empty();
    }

    /** That rpc as its address names it. */
    Optional<String> rpcName() {
        return rpc().map(rpc -> Schemas.module(model, rpc) + ":" + rpc.getLocalName());
    }

    private static Optional<Target> operation(EffectiveModelContext model, ApiPath path) {
        ApiPath.Step step = path.steps().size() == 1 ? path.steps().get(0) : null;
        return step == null || step.module() == null ? Optional.empty()
            : model.findModuleStatements(step.module()).stream().findFirst()
                .filter(module -> Schemas.isOurs(module.localQNameModule().namespace())
                    || StreamRpcs.include(step.module() + ":" + step.identifier().getLocalName()))
                .flatMap(module -> {
                    SchemaInferenceStack stack = SchemaInferenceStack.of(model);
                    return stack.enterSchemaTree(QName.create(module.localQNameModule(),
                        step.identifier().getLocalName())) instanceof RpcDefinition rpc
                        ? Optional.of(new Target(model, stack, new Place("", rpc, Optional.empty()),
                            Optional.of(rpc.getInput().getQName()),
                            new Place("/" + step.module() + ":input", rpc, Optional.of(rpc.getInput())),
                            Optional.empty(), Depth.ROOT))
                        : Optional.empty();
                });
    }

    private static Optional<Target> data(EffectiveModelContext model, String method, ApiPath path) {
        String first = path.steps().get(0).module();
        if (first == null || model.findModuleStatements(first).stream()
                .noneMatch(module -> Schemas.isOurs(module.localQNameModule().namespace()))) {
            return Optional.empty();
        }
        SchemaInferenceStack stack = SchemaInferenceStack.of(model);
        Place above = new Place("", model, Optional.empty());
        Place place = above;
        Optional<Reserved> reserved = Optional.empty();
        Depth depth = Depth.ROOT;
        for (ApiPath.Step step : path.steps()) {
            above = place;
            place = place.below(model, List.of(step(model, place, step)));
            if (place.node().isEmpty()) {
                return Optional.empty();
            }
            DataSchemaNode node = place.node().get();
            stack.enterDataTree(node.getQName());
            reserved = reserved.or(() -> Reserved.node(node));
            depth = depth.below(Schemas.choices(place.parent(), node), step instanceof ApiPath.ListInstance);
        }
        if (method.equals("POST")) {
            return Optional.of(new Target(model, stack, place, Optional.empty(), place, reserved, depth));
        }
        QName child = place.node().orElseThrow().getQName();
        stack.exit();
        return Optional.of(new Target(model, stack, above, Optional.of(child), place, reserved, depth));
    }

    private static Place.Step step(EffectiveModelContext model, Place above, ApiPath.Step step) {
        String name = step.module() == null ? step.identifier().getLocalName()
            : step.module() + ":" + step.identifier().getLocalName();
        Map<String, String> keys = new HashMap<>();
        Optional<DataSchemaNode> node = above.below(model, List.of(new Place.Step(name, 0, Map.of()))).node();
        if (step instanceof ApiPath.ListInstance entry && node.orElse(null) instanceof ListSchemaNode list) {
            for (int index = 0; index < Math.min(entry.keyValues().size(), list.getKeyDefinition().size()); index++) {
                keys.put(list.getKeyDefinition().get(index).getLocalName(), entry.keyValues().get(index));
            }
        }
        return new Place.Step(name, 0, keys);
    }
}
