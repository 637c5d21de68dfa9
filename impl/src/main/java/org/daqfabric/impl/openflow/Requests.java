package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.OptionalLong;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetFlowStatistics;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetFlowStatisticsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetFlowStatisticsOutput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlowInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlowInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.UpdateFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.UpdateFlowInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.flow.update.OriginalFlowBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.flow.update.UpdatedFlowBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrier;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrierInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrierOutput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.FlowCookie;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.FlowModFlags;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.group.update.OriginalGroupBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.group.update.UpdatedGroupBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupTypes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeRef;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** The requests of this channel, as RPCs of the plugin. Thread-safe; all methods return at once. */
final class Requests {
    private static final Uint8 TABLE = Uint8.ZERO;
    private static final Uint8 ALL_TABLES = Uint8.MAX_VALUE;
    private static final FlowCookie EVERY_BIT = new FlowCookie(Uint64.MAX_VALUE);
    private static final FlowModFlags NO_FLAGS = new FlowModFlags(false, false, false, false, false);

    private final AddFlow addFlow;
    private final UpdateFlow updateFlow;
    private final RemoveFlow removeFlow;
    private final AddGroup addGroup;
    private final UpdateGroup updateGroup;
    private final RemoveGroup removeGroup;
    private final SendBarrier sendBarrier;
    private final GetFlowStatistics getFlowStatistics;

    Requests(final RpcService rpcs) {
        addFlow = rpcs.getRpc(AddFlow.class);
        updateFlow = rpcs.getRpc(UpdateFlow.class);
        removeFlow = rpcs.getRpc(RemoveFlow.class);
        addGroup = rpcs.getRpc(AddGroup.class);
        updateGroup = rpcs.getRpc(UpdateGroup.class);
        removeGroup = rpcs.getRpc(RemoveGroup.class);
        sendBarrier = rpcs.getRpc(SendBarrier.class);
        getFlowStatistics = rpcs.getRpc(GetFlowStatistics.class);
    }

    /**
     * Sends a change.
     *
     * @param cookie the cookie of the rule that the change replaces or removes, where it is known
     */
    ListenableFuture<? extends RpcResult<?>> change(final NodeRef node, final Message message,
            final OptionalLong cookie) {
        return switch (message) {
            case Message.PutRule put when cookie.isEmpty() || cookie.getAsLong() == put.rule().cookie() ->
                add(node, put.rule());
            case Message.PutRule put -> replace(node, put.rule(), cookie.getAsLong());
            case Message.DeleteRule delete -> remove(node, delete.key(), cookie);
            case Message.AddGroup add -> addGroup.invoke(new AddGroupInputBuilder()
                .setNode(node)
                .setGroupId(id(add.group().id()))
                .setGroupType(Groups.toOdl(add.group().type()))
                .setBuckets(Groups.toOdl(add.group().buckets()))
                .build());
            case Message.ModifyGroup modify -> modify(node, modify.group());
            case Message.DeleteGroup delete -> removeGroup.invoke(new RemoveGroupInputBuilder()
                .setNode(node)
                .setGroupId(id(delete.id()))
                // the message has a field for it, which switches ignore
                .setGroupType(GroupTypes.GroupIndirect)
                .build());
        };
    }

    /** Answered when the switch has done all that was sent to it before. */
    ListenableFuture<RpcResult<SendBarrierOutput>> barrier(final NodeRef node) {
        return sendBarrier.invoke(new SendBarrierInputBuilder().setNode(node).build());
    }

    /** All rules of all tables. */
    ListenableFuture<RpcResult<GetFlowStatisticsOutput>> rules(final NodeRef node) {
        return getFlowStatistics.invoke(new GetFlowStatisticsInputBuilder()
            .setNode(node)
            .setStoreStats(false)
            .setTableId(ALL_TABLES)
            .build());
    }

    private ListenableFuture<? extends RpcResult<?>> add(final NodeRef node, final Rule rule) {
        return addFlow.invoke(new AddFlowInputBuilder()
            .setNode(node)
            .setTableId(TABLE)
            .setPriority(Uint16.valueOf(rule.priority()))
            .setMatch(Matches.toOdl(rule.match()))
            .setInstructions(Rules.toOdl(rule.actions()))
            .setCookie(cookie(rule.cookie()))
            .setFlags(NO_FLAGS)
            .build());
    }

    /**
     * Replaces a rule with another of the same key. The plugin lists every rule it sent, by key and cookie, and would
     * list the old one for ever after a mere add. Told of both, and with a cookie mask, it sends the same OFPFC_ADD
     * (which has no use for the mask) and forgets the old one.
     */
    private ListenableFuture<? extends RpcResult<?>> replace(final NodeRef node, final Rule rule, final long old) {
        final var match = Matches.toOdl(rule.match());
        final var priority = Uint16.valueOf(rule.priority());
        return updateFlow.invoke(new UpdateFlowInputBuilder()
            .setNode(node)
            .setOriginalFlow(new OriginalFlowBuilder()
                .setTableId(TABLE)
                .setPriority(priority)
                .setMatch(match)
                .setCookie(cookie(old))
                .setFlags(NO_FLAGS)
                .build())
            .setUpdatedFlow(new UpdatedFlowBuilder()
                .setTableId(TABLE)
                .setPriority(priority)
                .setMatch(match)
                .setInstructions(Rules.toOdl(rule.actions()))
                .setCookie(cookie(rule.cookie()))
                .setCookieMask(EVERY_BIT)
                .setFlags(NO_FLAGS)
                .build())
            .build());
    }

    /** Removes by key alone; the cookie is for the plugin's list, see {@link #replace}. */
    private ListenableFuture<? extends RpcResult<?>> remove(final NodeRef node, final Rule.Key key,
            final OptionalLong old) {
        final var input = new RemoveFlowInputBuilder()
            .setNode(node)
            .setTableId(TABLE)
            .setPriority(Uint16.valueOf(key.priority()))
            .setMatch(Matches.toOdl(key.match()))
            .setStrict(true);
        old.ifPresent(value -> input.setCookie(cookie(value)));
        return removeFlow.invoke(input.build());
    }

    private ListenableFuture<? extends RpcResult<?>> modify(final NodeRef node, final Group group) {
        final var id = id(group.id());
        return updateGroup.invoke(new UpdateGroupInputBuilder()
            .setNode(node)
            .setOriginalGroup(new OriginalGroupBuilder().setGroupId(id).build())
            .setUpdatedGroup(new UpdatedGroupBuilder()
                .setGroupId(id)
                .setGroupType(Groups.toOdl(group.type()))
                .setBuckets(Groups.toOdl(group.buckets()))
                .build())
            .build());
    }

    private static FlowCookie cookie(final long cookie) {
        return new FlowCookie(Uint64.fromLongBits(cookie));
    }

    private static GroupId id(final int id) {
        return new GroupId(Uint32.fromIntBits(id));
    }
}
