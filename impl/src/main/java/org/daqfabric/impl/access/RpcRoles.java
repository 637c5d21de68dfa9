package org.daqfabric.impl.access;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** The least role for each rpc, as {@code rpcs.txt} lists them. */
final class RpcRoles {
    private static final Map<String, UserRole> ROLES = read();

    private RpcRoles() {
    }

    /**
     * The role for an rpc.
     *
     * @param rpc {@code module:name}
     */
    static UserRole of(String rpc) {
        return ROLES.getOrDefault(rpc, UserRole.ADMIN);
    }

    static Map<String, UserRole> all() {
        return ROLES;
    }

    private static Map<String, UserRole> read() {
        try (InputStream text = RpcRoles.class.getResourceAsStream("rpcs.txt")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#")).map(line -> line.split(" "))
                .collect(Collectors.toUnmodifiableMap(words -> words[1], words -> UserRole.of(words[0]).orElseThrow()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
