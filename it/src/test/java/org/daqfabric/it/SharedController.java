package org.daqfabric.it;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One controller for all test classes with {@code @ExtendWith(SharedController.class)}, booted at the first and
 * stopped after the last. Tests take it as a {@link Distribution} or {@link Restconf} parameter, delete what they
 * configured, and leave it running. A test that wants one for itself makes a {@link Distribution}.
 */
final class SharedController implements BeforeAllCallback, ParameterResolver {
    private record Running(Distribution controller) implements CloseableResource {
        @Override
        public void close() {
            controller.close();
        }
    }

    @Override
    public void beforeAll(final ExtensionContext context) {
        controller(context);
    }

    @Override
    public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context) {
        final var type = parameter.getParameter().getType();
        return type == Distribution.class || type == Restconf.class;
    }

    @Override
    public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context) {
        final var controller = controller(context);
        return parameter.getParameter().getType() == Distribution.class ? controller : controller.restconf();
    }

    private static Distribution controller(final ExtensionContext context) {
        return context.getRoot().getStore(Namespace.create(SharedController.class))
            .getOrComputeIfAbsent("controller",
                key -> new Running(Distribution.daqfabric("controller").start()), Running.class)
            .controller();
    }
}
