package org.daqfabric.impl.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;

class AuditLogTest {
    /** Whatever a text holds, an entry is one line, which reads as the same text. */
    @Test
    void nothingForgesALine() {
        JsonObject entry = new JsonObject();
        String text = "a\n{\"user\":\"forged\"}\r\u0085\u2028\u2029\u001b[2J\u202e\u0000\ud800\"\\ é漢🚀";
        AuditLog.add(entry, "path", Optional.of(text));
        String line = AuditLog.line(entry);
        assertThat(line).matches("[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]+").contains("é漢🚀");
        assertThat(JsonParser.parseString(line)).isEqualTo(entry);
        assertThat(JsonParser.parseString(line).getAsJsonObject().keySet()).containsExactly("path");
    }

    @Test
    void aLongTextIsCut() {
        JsonObject entry = new JsonObject();
        AuditLog.add(entry, "command", Optional.of("x".repeat(5000)));
        AuditLog.add(entry, "reason", Optional.of(""));
        assertThat(entry.keySet()).containsExactly("command");
        assertThat(entry.get("command").getAsString()).hasSizeLessThan(2100).endsWith("x... 5000 characters");
    }

    private record UserPrincipal(String getName) implements Principal {
        @Override
        public String getName() {
            return getName;
        }
    }

    private record ClientPrincipal(String getName) implements Principal {
        @Override
        public String getName() {
            return getName;
        }
    }

    @Test
    void aCommandHasItsUserAndAddress() {
        Subject subject = new Subject(true, Set.of(new UserPrincipal("anna"),
            new ClientPrincipal("ssh(/192.0.2.1:4321)")), Set.of(), Set.of());
        JsonObject entry = ShellAudit.entry("daqfabric:drain p1s1", "ok", Optional.of(subject));
        entry.remove("time");
        assertThat(entry).isEqualTo(JsonParser.parseString("""
            {"via": "shell", "from": "192.0.2.1:4321", "user": "anna", "command": "daqfabric:drain p1s1",
             "result": "ok"}
            """));
        assertThat(ShellAudit.entry("x", "ok", Optional.empty()).get("from").getAsString()).isEqualTo("console");
    }
}
