package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One controller for all test classes of this Java with {@code @ExtendWith(SharedController.class)}, started before the
 * first and stopped when Java ends. Tests get it as a {@link Distribution} or {@link Restconf} parameter, and leave it
 * running. The fabrics of the {@link Lab} they take are removed after the class, in which the controller may have
 * logged no error of its own. A test that wants a controller for itself makes a {@link Distribution}.
 */
final class SharedController implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SharedController.class);
    /** Refusals and failures of switches are no errors of the controller, whatever OpenDaylight logs for them. */
    private static final Pattern OWN_ERROR =
        Pattern.compile("^\\S+ \\| ERROR \\| [^|]* \\| \\S+ *\\| [0-9]+ - org\\.daqfabric.*");
    /** Java ends it. Not in a store of JUnit's: where classes run in several Javas, each one has a store of its own. */
    private static Distribution shared;

    @Override
    public void beforeAll(final ExtensionContext context) {
        final var controller = controller();
        final var store = context.getStore(NAMESPACE);
        store.put("lab", new Lab(controller));
        store.put("lines", controller.logLines().size());
    }

    @Override
    public void afterAll(final ExtensionContext context) {
        final var store = context.getStore(NAMESPACE);
        store.get("lab", Lab.class).close();
        // less than before after an installation that the class made anew
        final var log = controller().logLines();
        final int before = Math.min(store.get("lines", Integer.class), log.size());
        assertThat(log.subList(before, log.size()))
            .noneMatch(line -> OWN_ERROR.matcher(line).matches());
    }

    @Override
    public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context) {
        final var type = parameter.getParameter().getType();
        return type == Distribution.class || type == Restconf.class || type == Lab.class;
    }

    @Override
    public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context) {
        final var type = parameter.getParameter().getType();
        return type == Distribution.class ? controller() : type == Restconf.class ? controller().restconf()
            : context.getStore(NAMESPACE).get("lab", Lab.class);
    }

    private static synchronized Distribution controller() {
        if (shared == null) {
            shared = Distribution.daqfabric(System.getProperty("daq.controller", "controller")).start();
        }
        return shared;
    }
}
