package org.daqfabric.impl.author;

import com.google.common.collect.MapMaker;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNodeContainer;
import org.opendaylight.yangtools.yang.data.api.schema.OrderedNodeContainer;

/**
 * The entity tag of a node of the configuration (RFC 8040, section 3.5.2): a digest of what it holds, so that all
 * members of a cluster have the same. What the controller stores for itself beside it does not count.
 */
public final class EntityTag {
    /** Of nodes as the datastore holds them, which are never changed, only replaced. */
    private static final Map<NormalizedNode, String> KNOWN = new MapMaker().weakKeys().makeMap();
    /** One of a list. Proxies that compress make a tag weak, or add to it how. */
    private static final Pattern TAG = Pattern.compile("(?:W/)?\"([^\"]*?)(?:[-;](?:gzip|br|deflate|zstd))?\"");
    private static final String ANY = "*";
    private static final int BYTES = 16;

    private EntityTag() {
    }

    /** With its quotes. */
    public static String of(NormalizedNode node) {
        return KNOWN.computeIfAbsent(node, each ->
            '"' + HexFormat.of().formatHex(Arrays.copyOf(digest(each), BYTES)) + '"');
    }

    /**
     * Whether a list of tags in a request has that of a node.
     *
     * @param list a header, or {@code *}, which any node matches
     * @param node empty if there is none
     */
    public static boolean isIn(String list, Optional<NormalizedNode> node) {
        if (node.isEmpty()) {
            return false;
        }
        if (list.strip().equals(ANY)) {
            return true;
        }
        String own = of(node.get());
        Matcher tags = TAG.matcher(list);
        while (tags.find()) {
            if (own.equals('"' + tags.group(1) + '"')) {
                return true;
            }
        }
        return false;
    }

    /** Whether the controller stores it for itself. */
    static boolean isOfTheController(NormalizedNode node) {
        return node.name().getNodeType().getNamespace().equals(Decisions.QNAME.getNamespace());
    }

    private static byte[] digest(NormalizedNode node) {
        MessageDigest digest = sha256();
        // with the keys of a list entry
        update(digest, node.name().toString());
        switch (node) {
            case NormalizedNodeContainer<?> parent -> {
                Stream<byte[]> children = parent.body().stream()
                    .filter(child -> !isOfTheController(child)).map(EntityTag::digest);
                // whose order means something
                List<byte[]> ordered = parent instanceof OrderedNodeContainer ? children.toList()
                    : children.sorted(Arrays::compare).toList();
                ordered.forEach(digest::update);
            }
            default -> update(digest, node.body() instanceof byte[] bytes ? HexFormat.of().formatHex(bytes)
                : node.body().toString());
        }
        return digest.digest();
    }

    /** With its length, so that no two texts are like one. */
    private static void update(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
