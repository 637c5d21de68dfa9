package org.daqfabric.impl.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignTextTest {
    /** Line ends of all kinds, a terminal's escape, a bell, an end of text, and what turns the order of reading. */
    @ParameterizedTest
    @ValueSource(strings = { "\n", "\r", "\u0085", "\u2028", "\u2029", "\u001b", "\u009b", "\u0007", "\u0000", "\u007f",
        "\u202e", "\u2066", "\ufeff", "\t" })
    void whatALogOrATerminalObeysIsReplaced(String obeyed) {
        String shown = ForeignText.shown("a" + obeyed + "b" + obeyed);
        assertThat(shown).isEqualTo("a\ufffdb\ufffd");
        assertThat(ForeignText.isMaimed(shown)).isTrue();
    }

    @Test
    void otherTextStaysTheSameObject() {
        String text = "could not open network device é 漢 🚀 (No such device)";
        assertThat(ForeignText.shown(text)).isSameAs(text);
        assertThat(ForeignText.isMaimed(text)).isFalse();
    }
}
