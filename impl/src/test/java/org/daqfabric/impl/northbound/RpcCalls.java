package org.daqfabric.impl.northbound;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yangtools.binding.Rpc;
import org.opendaylight.yangtools.binding.RpcInput;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.YangConstants;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizationResultHolder;
import org.opendaylight.yangtools.yang.model.api.stmt.SchemaNodeIdentifier.Absolute;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/** Calls rpcs with the JSON that RESTCONF speaks, through OpenDaylight's own codecs. */
final class RpcCalls {
    private final InMemoryBroker broker = new InMemoryBroker();
    private final JSONCodecFactory codecs = JSONCodecFactorySupplier.RFC7951.getShared(broker.model());
    private final Map<String, Rpc<RpcInput, ?>> rpcs = new HashMap<>();
    private final QName module;
    private final String prefix;

    /** Of a controller that has taken up all that is stored. */
    static Uptake takenUp() {
        Uptake uptake = mock();
        when(uptake.ofWhatIsStored()).thenReturn(CompletableFuture.completedFuture(null));
        return uptake;
    }

    /** The rpcs that are registered, all of one module. */
    RpcCalls(QName module, Consumer<RpcProviderService> register) {
        this.module = module;
        prefix = broker.model().findModule(module.getModule()).orElseThrow().getName();
        RpcProviderService service = mock(RpcProviderService.class);
        when(service.registerRpcImplementations(any(Rpc[].class))).thenAnswer(call -> {
            for (Object each : call.getArguments()) {
                @SuppressWarnings("unchecked") // the RPC's own types
                Rpc<RpcInput, ?> rpc = (Rpc<RpcInput, ?>) each;
                rpcs.put(rpc.implementedInterface().getSimpleName(), rpc);
            }
            return (Registration) () -> rpcs.clear();
        });
        register.accept(service);
    }

    /** The output; a refused call throws an exception with its message. */
    JsonObject call(String rpc, String input) {
        try {
            RpcInput read = read(rpc, "{\"input\":" + input.replace('\'', '"') + "}");
            RpcResult<?> result = rpcs.get(classOf(rpc)).invoke(read).get();
            if (!result.isSuccessful()) {
                throw new IllegalArgumentException(result.getErrors().iterator().next().getTag().elementBody() + ": "
                    + result.getErrors().iterator().next().getMessage());
            }
            return write(rpc, broker.serializer().toNormalizedNodeRpcData(
                (org.opendaylight.yangtools.binding.DataContainer) result.getResult()));
        } catch (IOException | InterruptedException | java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls without waiting for the answer. */
    Future<?> begin(String rpc, String input) {
        return rpcs.get(classOf(rpc)).invoke(read(rpc, "{\"input\":" + input.replace('\'', '"') + "}"));
    }

    private RpcInput read(String rpc, String json) {
        NormalizationResultHolder holder = new NormalizationResultHolder();
        SchemaInferenceStack stack = stack(rpc);
        try (JsonParserStream parser = JsonParserStream.create(ImmutableNormalizedNodeStreamWriter.from(holder), codecs,
                stack.toInference())) {
            parser.parse(new JsonReader(new StringReader(json.replace("\"input\"", "\"" + prefix + ":input\""))));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return (RpcInput) broker.serializer().fromNormalizedNodeRpcData(
            Absolute.of(name(rpc), YangConstants.operationInputQName(module.getModule())),
            (ContainerNode) holder.getResult().data());
    }

    private JsonObject write(String rpc, ContainerNode output) throws IOException {
        StringWriter text = new StringWriter();
        SchemaInferenceStack stack = stack(rpc);
        try (NormalizedNodeWriter writer = NormalizedNodeWriter.forStreamWriter(JSONNormalizedNodeStreamWriter
                .createExclusiveWriter(codecs, stack.toInference(), null, new JsonWriter(text)))) {
            writer.write(output);
        }
        JsonElement element = JsonParser.parseString(text.toString());
        return element.getAsJsonObject().getAsJsonObject(prefix + ":output");
    }

    private SchemaInferenceStack stack(String rpc) {
        return SchemaInferenceStack.of(broker.model(), Absolute.of(name(rpc)));
    }

    private QName name(String rpc) {
        return QName.create(module, rpc);
    }

    private static String classOf(String rpc) {
        StringBuilder name = new StringBuilder();
        for (String word : rpc.split("-")) {
            name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return name.toString();
    }
}
