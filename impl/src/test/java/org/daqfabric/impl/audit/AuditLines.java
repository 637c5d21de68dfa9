package org.daqfabric.impl.audit;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.daqfabric.impl.async.LogLines;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The entries of the audit that a test writes. */
final class AuditLines implements BeforeEachCallback, AfterEachCallback {
    private LogLines lines;

    @Override
    public void beforeEach(ExtensionContext context) {
        lines = new LogLines();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        lines.close();
    }

    /** All that was logged. */
    String text() {
        return String.join("\n", lines.with(""));
    }

    /** The entries of one kind. */
    List<JsonObject> of(String kind) {
        return lines.with("daqfabric.audit." + kind).stream()
            .map(line -> JsonParser.parseString(line.substring(line.indexOf('{'))).getAsJsonObject()).toList();
    }
}
