package org.daqfabric.impl.northbound;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadOperations;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteOperations;
import org.opendaylight.yangtools.yang.common.Revision;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizationResultHolder;
import org.opendaylight.yangtools.yang.model.api.ContainerSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.Module;

/**
 * All that daqfabric's modules keep in the configuration datastore, whichever containers they declare, as the JSON of
 * RFC 7951 and back.
 */
final class StoredTrees {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final String NAMESPACE = "urn:daqfabric";

    private final Supplier<EffectiveModelContext> model;

    StoredTrees(Supplier<EffectiveModelContext> model) {
        this.model = model;
    }

    /** Revision by module, of those that store something. */
    SortedMap<String, String> modules() {
        SortedMap<String, String> modules = new TreeMap<>();
        roots().keySet().forEach(name -> {
            String module = name.substring(0, name.indexOf(':'));
            modules.put(module, model.get().findModules(module).iterator().next().getRevision()
                .map(Revision::toString).orElse(""));
        });
        return modules;
    }

    /** The stored containers, by {@code module:name}. */
    private SortedMap<String, ContainerSchemaNode> roots() {
        SortedMap<String, ContainerSchemaNode> roots = new TreeMap<>();
        for (Module module : model.get().getModules()) {
            String namespace = module.getNamespace().toString();
            if (namespace.equals(NAMESPACE) || namespace.startsWith(NAMESPACE + ":")) {
                module.getChildNodes().forEach(node -> {
                    if (node instanceof ContainerSchemaNode root && root.effectiveConfig().orElse(true)) {
                        roots.put(module.getName() + ":" + root.getQName().getLocalName(), root);
                    }
                });
            }
        }
        return roots;
    }

    private static YangInstanceIdentifier path(ContainerSchemaNode root) {
        return YangInstanceIdentifier.of(root.getQName());
    }

    /**
     * Reads all within one transaction, one container after another: OpenDaylight drops answers that overtake each
     * other on their way from the member that leads the datastore. Containers without data are left out.
     */
    CompletableFuture<JsonObject> read(DOMDataTreeReadOperations tx) {
        CompletableFuture<JsonObject> content = CompletableFuture.completedFuture(new JsonObject());
        for (ContainerSchemaNode root : roots().values()) {
            content = content.thenCompose(all ->
                Futures.<Optional<NormalizedNode>>completable(tx.read(STORE, path(root))).thenApply(node -> {
                    node.ifPresent(present -> json(present).asMap().forEach(all::add));
                    return all;
                }));
        }
        return content;
    }

    /** Replaces all: containers that are not in the content are deleted. */
    void write(DOMDataTreeWriteOperations tx, Map<YangInstanceIdentifier, NormalizedNode> content) {
        for (ContainerSchemaNode root : roots().values()) {
            NormalizedNode node = content.get(path(root));
            if (node == null) {
                tx.delete(STORE, path(root));
            } else {
                tx.put(STORE, path(root), node);
            }
        }
    }

    private JsonObject json(NormalizedNode node) {
        StringWriter text = new StringWriter();
        try (NormalizedNodeWriter writer = NormalizedNodeWriter.forStreamWriter(
                JSONNormalizedNodeStreamWriter.createExclusiveWriter(codecs(), new JsonWriter(text)))) {
            writer.write(node);
        } catch (IOException e) {
            throw new IllegalStateException("cannot write " + node.name(), e);
        }
        return JsonParser.parseString(text.toString()).getAsJsonObject();
    }

    /**
     * The content of a backup as nodes.
     *
     * @throws InvalidInputException with the path of the first node that does not fit the modules
     */
    Map<YangInstanceIdentifier, NormalizedNode> parse(JsonObject content) {
        Map<YangInstanceIdentifier, NormalizedNode> nodes = new LinkedHashMap<>();
        SortedMap<String, ContainerSchemaNode> roots = roots();
        for (Map.Entry<String, JsonElement> each : content.entrySet()) {
            ContainerSchemaNode root = roots.get(each.getKey());
            if (root == null) {
                throw misfit("/" + each.getKey(), "this controller stores " + String.join(", ", roots.keySet())
                    + " only; take it out of the backup, and sha256 with it");
            }
            nodes.put(path(root), parse(root, each.getKey(), each.getValue()));
        }
        return nodes;
    }

    @SuppressWarnings({"checkstyle:illegalCatch", "checkstyle:avoidHidingCauseException"}) // whatever the parser throws
    private NormalizedNode parse(ContainerSchemaNode root, String name, JsonElement value) {
        JsonObject single = new JsonObject();
        single.add(name, value);
        NormalizationResultHolder holder = new NormalizationResultHolder();
        JsonReader reader = new JsonReader(new StringReader(single.toString()));
        try (JsonParserStream parser =
                JsonParserStream.create(ImmutableNormalizedNodeStreamWriter.from(holder), codecs())) {
            parser.parse(reader);
        } catch (IOException | JsonParseException | IllegalStateException | IllegalArgumentException e) {
            throw misfit(JsonLocation.instancePath(reader.getPreviousPath(), root, name, value), e.getMessage());
        }
        return holder.getResult().data();
    }

    private static InvalidInputException misfit(String path, String why) {
        return new InvalidInputException("backup", "it does not fit this controller's modules at " + path + ": " + why);
    }

    private JSONCodecFactory codecs() {
        return JSONCodecFactorySupplier.RFC7951.getShared(model.get());
    }
}
