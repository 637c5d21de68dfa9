package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * What a controller says of alarms, everywhere it does: in the list, by notifications, in metrics, in the shell and by
 * the doctor.
 */
final class AlarmWatch implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final String BETWEEN = "NEXT-COMMAND";

    private final Distribution controller;
    private final EventStream events;
    private final Shell shell;

    AlarmWatch(final Distribution controller) {
        this.controller = controller;
        events = new EventStream(controller.restconf(), "alarms", "2026-11-25",
            List.of("alarm-notification", "operator-action"));
        shell = new Shell(controller);
    }

    /** All alarms in the state tree. */
    static List<JsonObject> list(final Restconf restconf) {
        final var answer = restconf.get("data/daqfabric-alarms:alarms?content=nonconfig");
        return answer.status() == 200
            ? FabricFile.entries(answer.json().getAsJsonObject("daqfabric-alarms:alarms"), "alarm") : List.of();
    }

    private static Optional<JsonObject> find(final Restconf restconf, final String type, final String resource) {
        return list(restconf).stream().filter(each -> each.get("alarm-type-id").getAsString().equals(type)
            && each.get("resource").getAsString().equals(resource)).findFirst();
    }

    /** Waits until an alarm of the list is raised, or cleared. */
    static JsonObject awaitIn(final Restconf restconf, final String type, final String resource,
            final boolean cleared) {
        return awaitIn(restconf, type, resource, each -> each.get("is-cleared").getAsBoolean() == cleared);
    }

    /** Waits until an alarm of the list is as it must be. */
    static JsonObject awaitIn(final Restconf restconf, final String type, final String resource,
            final Predicate<JsonObject> expected) {
        final var last = new AtomicReference<Optional<JsonObject>>();
        await().alias(type + " of " + resource).atMost(TIMEOUT).pollDelay(Duration.ZERO)
            .pollInterval(Polls.GROWING).untilAsserted(() -> {
                last.set(find(restconf, type, resource));
                assertThat(last.get()).matches(found -> found.filter(expected).isPresent(), "is as expected");
            });
        return last.get().orElseThrow();
    }

    /** Waits until an alarm of a type is raised, and returns its resource. */
    String awaitResource(final String type) {
        return await(type).atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Polls.GROWING)
            .until(() -> list(controller.restconf()).stream()
                .filter(each -> each.get("alarm-type-id").getAsString().equals(type)
                    && !each.get("is-cleared").getAsBoolean())
                .map(each -> each.get("resource").getAsString()).findFirst(), Optional::isPresent).orElseThrow();
    }

    /** Waits until an alarm is raised, and returns it; all tell it. */
    JsonObject awaitRaised(final String type, final String resource) {
        final var alarm = awaitIn(controller.restconf(), type, resource, false);
        final var severity = alarm.get("perceived-severity").getAsString();
        awaitTold(type, resource, severity);
        assertThat(alarm.get("advice").getAsString()).isNotBlank();
        assertThat(Scrape.of(controller).sum("daqfabric_alarm", "type=\"" + type + '"',
            "resource=\"" + resource + '"', "severity=\"" + severity + '"')).isEqualTo(1);
        final var shown = text("daqfabric:alarms; echo " + BETWEEN + "; daqfabric:doctor").split(BETWEEN);
        assertThat(shown[0]).contains(severity.toUpperCase() + " ", resource + " " + type);
        assertThat(shown[1])
            .contains(severity.equals("critical") || severity.equals("major") ? "ERROR " : "WARNING ")
            .contains(resource.substring(resource.lastIndexOf('/') + 1));
        return alarm;
    }

    /** Waits until an alarm is cleared; all tell it. */
    JsonObject awaitCleared(final String type, final String resource) {
        final var alarm = awaitIn(controller.restconf(), type, resource, true);
        awaitTold(type, resource, "cleared");
        assertThat(Scrape.of(controller).text()).doesNotContain("type=\"" + type + "\",severity=\""
            + alarm.get("perceived-severity").getAsString() + "\",resource=\"" + resource + '"');
        assertThat(text("daqfabric:alarms")).doesNotContain(resource + " " + type);
        return alarm;
    }

    /** Lets the controller look at nodes, certificates and datastores now, not in its own time. */
    void look() {
        text("daqfabric:doctor");
    }

    private void awaitTold(final String type, final String resource, final String severity) {
        events.awaitEvent("alarm-notification", event -> event.text("alarm-type-id").equals(type)
            && event.text("resource").equals(resource) && event.text("perceived-severity").equals(severity));
    }

    Shell shell() {
        return shell;
    }

    EventStream events() {
        return events;
    }

    /** The output of a command on one line. */
    String text(final String command) {
        return shell.run(command).output().replaceAll("\\s+", " ");
    }

    @Override
    public void close() {
        events.close();
        shell.close();
    }
}
