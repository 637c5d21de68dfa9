package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TableTest {
    /** Numbers are aligned to the right, and no line ends in blanks. */
    @Test
    void alignsColumns() {
        assertThat(new Table("NAME", "RULES", "ERROR").row("a", 5, "").row("bbbbbb", 1234, "none")
            .row("c", Optional.empty(), null).text()).isEqualTo("""
                NAME    RULES  ERROR
                a           5
                bbbbbb   1234  none
                c""");
        assertThat(new Table("NAME").text()).isEqualTo("(none)");
    }

    /** A table that is too wide is cut in its widest columns; one that just fits is not. */
    @Test
    void cutsTheWidestColumns() {
        String text = new Table("NAME", "ONE", "OTHER").row("short", "x".repeat(300), "y".repeat(60)).text();
        assertThat(text.lines().skip(1).findFirst())
            .contains("short  " + "x".repeat(44) + "…  " + "y".repeat(45) + "…");

        assertThat(new Table("A", "B").row("x".repeat(49), "y".repeat(49)).text()).doesNotContain("…");
        assertThat(new Table("A", "B").row("x".repeat(49), "y".repeat(50)).text()).contains("…");
    }

    /** Control characters are replaced, and no text is cut within a character. */
    @Test
    void replacesControlCharacters() {
        assertThat(new Table("A").row("x\u001b[31m\ny\tz\u202e").text()).isEqualTo("A\nx?[31m y z?");
        assertThat(new Table("A").row("\ud83d\ude00".repeat(200)).text().lines().skip(1).findFirst())
            .contains("\ud83d\ude00".repeat(99) + "…");
    }

    static java.util.stream.LongStream seeds() {
        return Seeds.seeds();
    }

    /** Random tables are never wider than a terminal. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neverIsWiderThanATerminal(long seed) {
        Random random = new Random(seed);
        for (int time = 0; time < 500; time++) {
            int columns = 1 + random.nextInt(9);
            Table table = new Table(IntStream.range(0, columns).mapToObj(at -> "H".repeat(1 + random.nextInt(12)))
                .toArray(String[]::new));
            for (int row = random.nextInt(5); row >= 0; row--) {
                table.row(IntStream.range(0, columns).mapToObj(at -> random.nextBoolean() ? (Object) random.nextLong()
                    : "z".repeat(random.nextInt(200))).toArray());
            }
            assertThat(table.text().lines()).allMatch(line -> TerminalText.width(line) <= Table.WIDTH);
        }
    }
}
