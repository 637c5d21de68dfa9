package org.daqfabric.impl.access;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** The least role for each rpc, as {@code rpcs.txt} lists them. */
final class RpcRoles {
    private static final Map<String, Role> ROLES = read();

    private RpcRoles() {
    }

    /**
     * The role for an rpc.
     *
     * @param rpc {@code module:name}
     */
    static Role of(String rpc) {
        return ROLES.getOrDefault(rpc, Role.ADMIN);
    }

    static Map<String, Role> all() {
        return ROLES;
    }

    private static Map<String, Role> read() {
        try (InputStream text = RpcRoles.class.getResourceAsStream("rpcs.txt")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#")).map(line -> line.split(" "))
                .collect(Collectors.toUnmodifiableMap(words -> words[1], words -> Role.of(words[0]).orElseThrow()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
