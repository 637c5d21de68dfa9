package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the doctor says first of a fabric. */
record FirstFinding(String severity, String subject, String what, String advice) {
    private static final Logger LOG = LoggerFactory.getLogger(FirstFinding.class);

    private static FirstFinding of(final JsonObject finding) {
        return new FirstFinding(finding.get("severity").getAsString(), finding.get("subject").getAsString(),
            finding.get("what").getAsString(), finding.get("advice").getAsString());
    }

    static FirstFinding of(final Shell shell, final String fabric) {
        final var output = shell.run("daqfabric:doctor --fabric " + fabric + " --json").output();
        return of(JsonParser.parseString(output.substring(output.indexOf('{'), output.lastIndexOf('}') + 1))
            .getAsJsonObject().getAsJsonArray("findings").get(0).getAsJsonObject());
    }

    /** The first finding, as soon as it names a cause. A command of the shell takes seconds on a busy machine. */
    static FirstFinding await(final Shell shell, final String fabric, final String cause) {
        final var last = new AtomicReference<FirstFinding>();
        Awaitility.await("the doctor's first finding").atMost(LabFabric.TIMEOUT).pollDelay(Duration.ZERO)
            .pollInterval(Polls.GROWING).untilAsserted(() -> {
                last.set(of(shell, fabric));
                assertThat(last.get().what).contains(cause);
            });
        LOG.info("first: {}", last.get());
        return last.get();
    }

    /** The command that it names, which is run on a node. */
    String command(final String pattern) {
        final Matcher found = Pattern.compile("ovs-vsctl (" + pattern + ")").matcher(what + " " + advice);
        assertThat(found.find()).as(toString()).isTrue();
        return found.group(1);
    }
}
