package org.daqfabric.journal;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.osgi.framework.VersionRange;

/**
 * The correction of {@code JournalRecovery}. The fault is in sal-akka-raft 11.0.0 to 13.0.4, the newest. A shard writes
 * an entry, applies it, answers, and only then has its journal note that the entry was applied ({@code applyTo}). Who
 * is killed in between leaves entries beyond {@code applyTo}: recovery leaves them to be applied when the leader of the
 * new term commits its first entry. A shard without other members does not apply what lies before that entry
 * ({@code RaftActor.submitCommand} sets {@code lastApplied} to it): what was answered is lost, though the journal has
 * it.
 *
 * <p>Without other members, all that the journal has is committed, so recovery applies it all. With others nothing
 * changes: there the leader says what is committed.
 */
final class AppliedEntries {
    /** The only class that is touched, and the versions of its bundle that have all that is called here. */
    static final String CLASS = "org.opendaylight.controller.cluster.raft.JournalRecovery";
    static final VersionRange VERSIONS = new VersionRange("[11.0,11.1)");

    private static final String RAFT = "org/opendaylight/controller/cluster/raft/";
    private static final String RECOVERY = RAFT + "JournalRecovery";
    private static final String ACTOR = RAFT + "RaftActor";
    private static final String PEERS = RAFT + "PeerInfos";
    private static final String JOURNAL = RAFT + "spi/EntryJournal";
    private static final String JOURNAL_V1 = JOURNAL + "V1";
    private static final String ASKED = "applyToJournalIndex";
    private static final String LONG = "()J";
    private static final String ADDED = "daqfabricApplyTo";
    private static final String ADDED_TYPE = "(L" + JOURNAL + ";L" + ACTOR + ";)J";

    private AppliedEntries() {
    }

    /**
     * The class that applies all entries of a shard without other members.
     *
     * @param code the class as it is in the bundle
     * @return empty if it does not ask exactly once up to where it applies: it is a version that is not known
     */
    static Optional<byte[]> of(byte[] code) {
        var found = new AtomicInteger();
        var writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        new ClassReader(code).accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
                var written = super.visitMethod(access, name, type, signature, thrown);
                return name.equals(ADDED) ? written : new Asking(written, found);
            }

            @Override
            public void visitEnd() {
                add(writer);
                super.visitEnd();
            }
        }, 0);
        return found.get() == 1 ? Optional.of(writer.toByteArray()) : Optional.empty();
    }

    /**
     * {@code actor.peerInfos().isEmpty() && journal instanceof EntryJournalV1 ? journal.nextToWrite() - 1
     * : journal.applyToJournalIndex()}.
     */
    private static void add(ClassVisitor visitor) {
        var method = visitor.visitMethod(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, ADDED,
            ADDED_TYPE, null, null);
        var asBefore = new Label();
        method.visitCode();
        method.visitVarInsn(Opcodes.ALOAD, 1);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, ACTOR, "peerInfos", "()L" + PEERS + ";", false);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, PEERS, "isEmpty", "()Z", false);
        method.visitJumpInsn(Opcodes.IFEQ, asBefore);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitTypeInsn(Opcodes.INSTANCEOF, JOURNAL_V1);
        method.visitJumpInsn(Opcodes.IFEQ, asBefore);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitTypeInsn(Opcodes.CHECKCAST, JOURNAL_V1);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, JOURNAL_V1, "nextToWrite", LONG, false);
        method.visitInsn(Opcodes.LCONST_1);
        method.visitInsn(Opcodes.LSUB);
        method.visitInsn(Opcodes.LRETURN);
        method.visitLabel(asBefore);
        method.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitMethodInsn(Opcodes.INVOKEINTERFACE, JOURNAL, ASKED, LONG, true);
        method.visitInsn(Opcodes.LRETURN);
        method.visitMaxs(0, 0);
        method.visitEnd();
    }

    /** Asks the added method in place of the journal. */
    private static final class Asking extends MethodVisitor {
        private final AtomicInteger found;

        Asking(MethodVisitor written, AtomicInteger found) {
            super(Opcodes.ASM9, written);
            this.found = found;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
            if (opcode == Opcodes.INVOKEINTERFACE && owner.equals(JOURNAL) && name.equals(ASKED)) {
                found.incrementAndGet();
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitFieldInsn(Opcodes.GETFIELD, RECOVERY, "actor", "L" + ACTOR + ";");
                super.visitMethodInsn(Opcodes.INVOKESTATIC, RECOVERY, ADDED, ADDED_TYPE, false);
            } else {
                super.visitMethodInsn(opcode, owner, name, type, isInterface);
            }
        }
    }
}
