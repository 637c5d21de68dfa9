package org.daqfabric.impl.northbound.request;

import java.util.Optional;
import java.util.stream.Stream;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.XMLNamespace;
import org.opendaylight.yangtools.yang.model.api.ChoiceSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.OperationDefinition;

/** Nodes of the model as they are in data, where choices and cases are not seen. */
final class Schemas {
    private static final String OURS = "urn:daqfabric";

    private Schemas() {
    }

    /** Whether a namespace is that of a module of daqfabric. */
    static boolean isOurs(XMLNamespace namespace) {
        String text = namespace.toString();
        return text.equals(OURS) || text.startsWith(OURS + ":");
    }

    /** Children of a node; none if it can have none. */
    static Stream<DataSchemaNode> children(Object parent) {
        return switch (parent) {
            case OperationDefinition operation -> Stream.of(operation.getInput());
            case ChoiceSchemaNode choice -> choice.getCases().stream().flatMap(Schemas::children);
            case DataNodeContainer container -> container.getChildNodes().stream()
                .flatMap(child -> child instanceof ChoiceSchemaNode ? children(child) : Stream.of(child));
            default -> Stream.empty();
        };
    }

    /** How many choices, one in another, a child of a node is in. */
    static int choices(Object parent, DataSchemaNode child) {
        return parent instanceof DataNodeContainer container ? container.getChildNodes().stream()
            .filter(ChoiceSchemaNode.class::isInstance)
            .flatMap(choice -> ((ChoiceSchemaNode) choice).getCases().stream())
            .filter(each -> children(each).anyMatch(child::equals)).findFirst()
            .map(each -> 1 + choices(each, child)).orElse(0) : 0;
    }

    /** The child of a name, which may have its module in front. */
    static Optional<DataSchemaNode> child(EffectiveModelContext model, Object parent, String name) {
        int colon = name.indexOf(':');
        String local = name.substring(colon + 1);
        return children(parent).filter(child -> child.getQName().getLocalName().equals(local)
            && (colon < 0 || module(model, child.getQName()).equals(name.substring(0, colon)))).findFirst();
    }

    /** The name of a node's module. */
    static String module(EffectiveModelContext model, QName name) {
        return model.findModuleStatement(name.getModule()).orElseThrow().argument().getLocalName();
    }
}
