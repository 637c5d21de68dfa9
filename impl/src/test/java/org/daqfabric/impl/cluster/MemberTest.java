package org.daqfabric.impl.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The members are configured in one place only: OpenDaylight's own file. */
class MemberTest {
    @TempDir
    private Path home;

    @Test
    void readsOpenDaylightsFile() throws IOException {
        Path folder = Files.createDirectories(home.resolve("configuration/initial"));
        Files.writeString(folder.resolve("pekko.conf"), """
            odl-cluster-data {
              pekko {
                remote { artery { enabled = on, canonical.hostname = "10.0.0.2" } }
                cluster {
                  seed-nodes = ["pekko://opendaylight-cluster-data@10.0.0.1:2550",
                    "pekko://opendaylight-cluster-data@10.0.0.2:2550",
                    "pekko://opendaylight-cluster-data@10.0.0.3:2550"]
                  roles = [
                    "member-2"
                  ]
                }
              }
            }
            odl-cluster-data.pekko.cluster.split-brain-resolver.stable-after = 20s
            """);
        Member member = Member.read(home);
        assertThat(member).isEqualTo(new Member("member-2", "10.0.0.2", 3));
        assertThat(member.isAlone()).isFalse();
        assertThat(Member.addresses(home)).hasSize(3).element(1)
            .isEqualTo("pekko://opendaylight-cluster-data@10.0.0.2:2550");
    }

    /** A plain OpenDaylight that never was a member has no such file before its first start. */
    @Test
    void isAloneWithoutTheFile() {
        assertThat(Member.read(home).isAlone()).isTrue();
        assertThat(Member.addresses(home)).isEmpty();
    }
}
