package org.daqfabric.impl.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every rpc of the models has a role, and every role an rpc. */
class RpcRolesTest {
    private static final Pattern RPC = Pattern.compile("(?m)^  rpc ([a-z-]+) ");

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

    @Test
    void othersAreForAdmin() {
        assertThat(RpcRoles.of("cluster-admin:backup-datastore")).isEqualTo(Role.ADMIN);
    }
}
