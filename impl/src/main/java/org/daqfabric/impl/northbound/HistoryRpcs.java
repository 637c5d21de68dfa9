package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.Optional;
import java.util.OptionalLong;
import org.daqfabric.api.history.Difference;
import org.daqfabric.api.history.FabricChanges;
import org.daqfabric.api.history.FabricVersion;
import org.daqfabric.impl.author.Author;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.CompareVersions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.CompareVersionsInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.CompareVersionsOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.CompareVersionsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ListVersions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ListVersionsInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ListVersionsOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ListVersionsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RollBack;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RollBackInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RollBackOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RollBackOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.list.versions.output.Version;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.list.versions.output.VersionBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.list.versions.output.VersionKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.WholeNumber;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.Empty;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;

/**
 * The rpcs list-versions, compare-versions and roll-back of module daqfabric-operations. Every member of a cluster
 * answers them itself, so that it knows who asks.
 */
public final class HistoryRpcs implements AutoCloseable {
    private final FabricHistory history;
    private final Registration registration;

    public HistoryRpcs(RpcProviderService rpcs, FabricHistory history) {
        this.history = history;
        registration = rpcs.registerRpcImplementations((ListVersions) this::listVersions,
            (CompareVersions) this::compareVersions, (RollBack) this::rollBack);
    }

    @Override
    public void close() {
        registration.close();
    }

    private ListenableFuture<RpcResult<ListVersionsOutput>> listVersions(ListVersionsInput input) {
        return RpcSupport.answer(() -> history.versions(RpcSupport.keyOfFabric(input.getFabric())), versions ->
            new ListVersionsOutputBuilder().setVersion(versions.stream().map(HistoryRpcs::version).toList()).build());
    }

    private static Version version(FabricVersion version) {
        return new VersionBuilder().withKey(new VersionKey(Uint32.valueOf(version.number())))
            .setTime(StateTree.time(version.time()))
            .setUser(Author.userText(version.user()))
            .setReason(version.reason().orElse(null))
            .setSummary(version.summary())
            .setRemoved(version.removal() ? Empty.value() : null)
            .build();
    }

    private ListenableFuture<RpcResult<CompareVersionsOutput>> compareVersions(CompareVersionsInput input) {
        return RpcSupport.answer(() -> history.compare(RpcSupport.keyOfFabric(input.getFabric()),
            OptionalLong.of(number(RpcSupport.given(input.getFrom(), "from", "1"), "from")),
            input.getTo() == null ? OptionalLong.empty() : OptionalLong.of(number(input.getTo(), "to"))),
            HistoryRpcs::comparison);
    }

    private static CompareVersionsOutput comparison(FabricChanges comparison) {
        return new CompareVersionsOutputBuilder().setSummary(comparison.summary())
            .setDifference(comparison.differences().stream().map(HistoryRpcs::difference).toList()).build();
    }

    private static org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.compare.versions.output.Difference
            difference(Difference difference) {
        return new org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.compare.versions.output
            .DifferenceBuilder()
            .setPart(difference.part())
            .setProperty(difference.property().orElse(null))
            .setBefore(difference.before().orElse(null))
            .setAfter(difference.after().orElse(null))
            .setText(difference.text())
            .build();
    }

    private ListenableFuture<RpcResult<RollBackOutput>> rollBack(RollBackInput input) {
        // read here, on the thread that works on the request
        Author user = Author.current();
        Optional<String> reason = Optional.ofNullable(input.getReason()).map(String::strip)
            .filter(text -> !text.isEmpty());
        Author author = new Author(user.user(), reason.or(user::reason));
        return RpcSupport.answer(() -> history.rollBack(RpcSupport.keyOfFabric(input.getFabric()),
            number(RpcSupport.given(input.getVersion(), "version", "1"), "version"), author, Optional.empty()),
            changes -> new RollBackOutputBuilder().setSummary(changes.summary()).build());
    }

    /** The number of a version. */
    static long number(WholeNumber value, String leaf) {
        long number = RpcSupport.whole(value.getValue(), leaf);
        if (number < 1 || number > Uint32.MAX_VALUE.toJava()) {
            throw new InvalidInputException(leaf, "versions count from 1; list-versions lists them");
        }
        return number;
    }
}
