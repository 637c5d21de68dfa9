package org.daqfabric.it;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One controller for all test classes with {@code @ExtendWith(SharedController.class)}, started before the first and
 * stopped after the last. Tests get it as a {@link Distribution} or {@link Restconf} parameter, and leave it running.
 * The fabrics of the {@link Lab} they take are removed after the class. A test that wants one for itself makes a {@link
 * Distribution}.
 */
final class SharedController implements BeforeAllCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SharedController.class);

    private record ControllerResource(Distribution controller) implements CloseableResource, AutoCloseable {
        @Override
        public void close() {
            controller.close();
        }
    }

    private record LabResource(Lab lab) implements CloseableResource, AutoCloseable {
        @Override
        public void close() {
            lab.close();
        }
    }

    @Override
    public void beforeAll(final ExtensionContext context) {
        final var controller = controller(context);
        context.getStore(NAMESPACE).put("lab", new LabResource(new Lab(controller)));
    }

    @Override
    public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context) {
        final var type = parameter.getParameter().getType();
        return type == Distribution.class || type == Restconf.class || type == Lab.class;
    }

    @Override
    public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context) {
        final var controller = controller(context);
        final var type = parameter.getParameter().getType();
        return type == Distribution.class ? controller : type == Restconf.class ? controller.restconf()
            : context.getStore(NAMESPACE).get("lab", LabResource.class).lab();
    }

    private static Distribution controller(final ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE)
            .getOrComputeIfAbsent("controller",
                key -> new ControllerResource(Distribution.daqfabric("controller").start()), ControllerResource.class)
            .controller();
    }
}
