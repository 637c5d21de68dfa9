package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.daqfabric.api.BackupContents;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The head of a backup. */
class BackupDocumentTest {
    private static final Map<String, String> MODULES = Map.of("daqfabric", "2026-11-20");
    private static final JsonObject CONTENT = JsonParser.parseString("""
        {"daqfabric:fabrics": {"fabric": [{"name": "a<b", "pod": [{"id": 1, "hlt-rack": [
          {"name": "h", "dcm": [{"name": "d"}, {"name": "e"}]}, {"name": "i"}]}]}, {"name": "empty"}]},
         "daqfabric-store:partitions": {"partition": [{"name": "p", "count": 12345678901234567890}]}}""")
        .getAsJsonObject();
    private static final BackupDocument DOCUMENT = BackupDocument.of(Instant.parse("2026-11-23T10:00:00Z"), "0.1.0",
        new TreeMap<>(MODULES), CONTENT);

    @Test
    void isReadAsItWasWritten() {
        BackupDocument read = BackupDocument.parse(DOCUMENT.text());

        assertThat(read).isEqualTo(DOCUMENT);
        assertThat(read.warnings(MODULES)).isEmpty();
        assertThat(read.contents()).isEqualTo(new BackupContents(2, 2, 1));
        assertThat(DOCUMENT.text()).contains("\"time\": \"2026-11-23T10:00:00Z\"", "\"name\": \"a<b\"");
    }

    /** Other programs indent JSON in other ways. */
    @Test
    void blanksBetweenTokensDoNotMatter() {
        assertThat(BackupDocument.parse(JsonParser.parseString(DOCUMENT.text()).toString())).isEqualTo(DOCUMENT);
    }

    /** A changed backup is refused because of its digest; without a digest it is accepted. */
    @Test
    void changedContentIsRefused() {
        String changed = DOCUMENT.text().replace("\"h\"", "\"g\"");
        assertThatThrownBy(() -> BackupDocument.parse(changed)).isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("its content was changed").hasMessageContaining("take the line 'sha256' out");

        BackupDocument read = BackupDocument.parse(changed.replaceFirst(",\\s*\"sha256\": \"[0-9a-f]{64}\"", ""));
        assertThat(read.warnings(MODULES)).singleElement().asString().contains("has no sha256");
    }

    /** Data backed up under another revision of a module can be restored. */
    @Test
    void otherRevisionsAreNamed() {
        assertThat(BackupDocument.parse(DOCUMENT.text()).warnings(Map.of("daqfabric", "2027-01-01")))
            .singleElement().isEqualTo("the backup has module daqfabric of revision 2026-11-20, this controller"
                + " revision 2027-01-01; the data fit all the same");
        assertThat(DOCUMENT.warnings(Map.of())).singleElement().asString().contains("this controller none;");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        ''                                            | but no backup
        nonsense {                                    | no JSON
        []                                            | but no backup
        {'daqfabric:fabrics': {}}                     | but no backup
        {'backup': {}, 'content': []}                 | but no backup
        {'backup': {}, 'content': {}}                 | its format is null
        {'backup': {'format': 2, 'daqfabric-version': '9'}, 'content': {}} | use a controller of daqfabric 9
        {'backup': {'format': 1, 'sha256': 'x'}, 'content': {}} | its content was changed
        """)
    void whatIsNoBackupIsRefused(String text, String why) {
        assertThatThrownBy(() -> BackupDocument.parse(text.replace('\'', '"')))
            .isInstanceOf(InvalidInputException.class).hasMessageContaining(why);
    }
}
