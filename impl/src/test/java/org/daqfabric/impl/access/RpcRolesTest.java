package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every rpc of the models has a role, and every role an rpc. */
class RpcRolesTest {
    private static final Pattern RPC = Pattern.compile("(?m)^  rpc ([a-z-]+) ");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+:[a-z-]+)` \\| (\\w+) \\|$");

    @Test
    void everyRpcHasARole() throws IOException {
        Set<String> rpcs = new TreeSet<>();
        try (Stream<Path> models = Files.list(Path.of("../yang/src/main/yang"))) {
            for (Path model : models.toList()) {
                String module = model.getFileName().toString().replaceFirst("@.*", "");
                Matcher found = RPC.matcher(Files.readString(model));
                while (found.find()) {
                    rpcs.add(module + ':' + found.group(1));
                }
            }
        }
        assertThat(rpcs).hasSizeGreaterThan(30);
        rpcs.add("sal-remote:create-notification-stream");
        assertThat(RpcRoles.all().keySet()).containsExactlyInAnyOrderElementsOf(rpcs);
    }

    /** The table that operators read, and that RolesIT walks, is this one. */
    @Test
    void theTableOfTheDocumentationSaysIt() throws IOException {
        Map<String, String> told = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/security.md")));
        while (rows.find()) {
            told.put(rows.group(1), rows.group(2));
        }
        Map<String, String> roles = new TreeMap<>();
        RpcRoles.all().forEach((rpc, role) -> roles.put(rpc, role.text()));
        assertThat(told).isEqualTo(roles);
    }

    @Test
    void othersAreForAdmin() {
        assertThat(RpcRoles.of("cluster-admin:backup-datastore")).isEqualTo(UserRole.ADMIN);
    }
}
