package org.daqfabric.impl.northbound;

import java.util.Set;
import org.daqfabric.api.BackupContents;
import org.daqfabric.api.FabricBackup;
import org.daqfabric.api.RestoreResult;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.backup.rev261123.Backup;
import org.opendaylight.yang.gen.v1.urn.daqfabric.backup.rev261123.BackupOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.backup.rev261123.BackupOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.backup.rev261123.Contents;
import org.opendaylight.yang.gen.v1.urn.daqfabric.backup.rev261123.Restore;
import org.opendaylight.yang.gen.v1.urn.daqfabric.backup.rev261123.RestoreInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.backup.rev261123.RestoreOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.backup.rev261123.RestoreOutputBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.Uint32;

/**
 * The rpcs of module daqfabric-backup. Every member has both: a backup may be larger than what members may send each
 * other in one message.
 */
public final class BackupRpcs implements AutoCloseable {
    private final Registration registration;

    public BackupRpcs(RpcProviderService rpcs, Backups backups) {
        registration = rpcs.registerRpcImplementations(
            (Backup) input -> RpcSupport.answer(backups::take, BackupRpcs::taken),
            (Restore) input -> RpcSupport.answer(
                () -> backups.restore(text(input), Boolean.TRUE.equals(input.getReplace())), BackupRpcs::restored));
    }

    private static BackupOutput taken(FabricBackup backup) {
        return new BackupOutputBuilder(contents(backup.contents())).setBackup(backup.text()).build();
    }

    private static RestoreOutput restored(RestoreResult result) {
        return new RestoreOutputBuilder(contents(result.contents()))
            .setWarning(result.warnings().isEmpty() ? null : Set.copyOf(result.warnings())).build();
    }

    private static String text(RestoreInput input) {
        return RpcSupport.given(input.getBackup(), "backup", "\"TEXT\"");
    }

    private static Contents contents(BackupContents contents) {
        return new Held(Uint32.valueOf(contents.fabrics()), Uint32.valueOf(contents.dcms()),
            Uint32.valueOf(contents.partitions()));
    }

    private record Held(Uint32 getFabrics, Uint32 getDcms, Uint32 getPartitions) implements Contents {
        @Override
        public Class<Contents> implementedInterface() {
            return Contents.class;
        }

        @Override
        public Uint32 requireFabrics() {
            return getFabrics;
        }

        @Override
        public Uint32 requireDcms() {
            return getDcms;
        }

        @Override
        public Uint32 requirePartitions() {
            return getPartitions;
        }
    }

    @Override
    public void close() {
        registration.close();
    }
}
