package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The commands in README.md and the pages of docs/ work, and print what the pages show. */
@ExtendWith(SharedController.class)
class TourIT {
    private static final Path ROOT = Distribution.projectRoot();
    /** What changes the controller itself, and is followed on one of its own: {@link TlsIT}. */
    private static final Set<String> ELSEWHERE = Set.of("tls.md");

    /** The how-tos use the fabric of the tour, so they run before it is removed. */
    @Test
    void documentedCommandsWork(final Distribution controller) throws IOException {
        final var suffix = "-" + controller.number();
        final var command = new ArrayList<>(List.of(ROOT.resolve("site/walk-page").toString(),
            "README.md#Five-minute tour", "docs/tutorial.md", "--before", "Take it down", "docs/rpcs.md"));
        command.addAll(howTos());
        command.addAll(List.of("--restconf", "127.0.0.1:" + controller.port("restconf"), "--for-switches",
            controller.addressForSwitches(), "--home", controller.home().toString(), "--suffix=" + suffix,
            "--instead", "data/accounts", "target/controller/data/accounts"));
        try {
            final var outcome = Processes.run(command);
            assertThat(outcome.code()).as(outcome.errors() + outcome.output()).isZero();
        } finally {
            for (var fabric : List.of("prototype" + suffix, "testbed" + suffix)) {
                controller.restconf().delete("data/daqfabric:fabrics/fabric=" + fabric);
                Lab.tryDaqlab("down", fabric);
            }
        }
    }

    private static List<String> howTos() throws IOException {
        try (var pages = Files.list(ROOT.resolve("docs/how-to"))) {
            return pages.filter(page -> !ELSEWHERE.contains(page.getFileName().toString()))
                .map(page -> ROOT.relativize(page).toString()).sorted().toList();
        }
    }
}
