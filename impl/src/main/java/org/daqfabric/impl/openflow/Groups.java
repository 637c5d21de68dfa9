package org.daqfabric.impl.openflow;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Group.Bucket;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.BucketId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupTypes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.Buckets;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.BucketsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.buckets.BucketBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.buckets.BucketKey;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;

/** Groups, ours and OpenDaylight's. */
final class Groups {
    /** OFPP_ANY and OFPG_ANY: nothing is watched. */
    private static final Uint32 UNWATCHED = Uint32.MAX_VALUE;

    private Groups() {
    }

    static GroupTypes toOdl(final Group.Type type) {
        return switch (type) {
            case FAST_FAILOVER -> GroupTypes.GroupFf;
            case INDIRECT -> GroupTypes.GroupIndirect;
            case OTHER -> throw new IllegalArgumentException("a group of another type can be read, but not sent");
        };
    }

    static Buckets toOdl(final List<Bucket> buckets) {
        final var builder = BindingMap.<BucketKey,
            org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.buckets.Bucket>
                orderedBuilder(buckets.size());
        for (int id = 0; id < buckets.size(); id++) {
            final var bucket = buckets.get(id);
            builder.add(new BucketBuilder()
                .setBucketId(new BucketId(Uint32.valueOf(id)))
                .setWeight(Uint16.ZERO)
                .setWatchPort(watch(bucket.watchPort()))
                .setWatchGroup(watch(bucket.watchGroup()))
                .setAction(Actions.toOdl(bucket.actions()))
                .build());
        }
        return new BucketsBuilder().setBucket(builder.build()).build();
    }

    static Group fromOdl(final org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.Group odl) {
        final var type = switch (odl.getGroupType()) {
            case GroupFf -> Group.Type.FAST_FAILOVER;
            case GroupIndirect -> Group.Type.INDIRECT;
            case GroupAll, GroupSelect -> Group.Type.OTHER;
        };
        final List<Bucket> buckets = odl.getBuckets() == null ? List.of()
            : odl.getBuckets().nonnullBucket().values().stream()
                .sorted(Comparator.comparing(bucket -> bucket.getBucketId().getValue()))
                .map(bucket -> new Bucket(watched(bucket.getWatchPort()), watched(bucket.getWatchGroup()),
                    Actions.fromOdl(bucket.nonnullAction().values())))
                .toList();
        return new Group(odl.getGroupId().getValue().intValue(), type, buckets);
    }

    private static Uint32 watch(final OptionalInt watched) {
        return watched.isPresent() ? Uint32.fromIntBits(watched.getAsInt()) : UNWATCHED;
    }

    private static OptionalInt watched(final Uint32 odl) {
        return odl == null || odl.equals(UNWATCHED) ? OptionalInt.empty() : OptionalInt.of(odl.intValue());
    }
}
