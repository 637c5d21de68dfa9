package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opendaylight.yangtools.binding.meta.YangModuleInfo;
import org.opendaylight.yangtools.yang.common.Revision;

/** Data that an older version has stored can be read. */
class StoredModelsTest {
    /**
     * Stored nodes carry the revision of their model, and OpenDaylight discards those of another revision when it
     * starts: with a new one an update would lose configuration and placements, unless something converts them first.
     */
    @Test
    void modelsWithStoredDataKeepTheirRevisions() {
        Map<String, String> revisions = Stream.of(
            org.opendaylight.yang.svc.v1.urn.daqfabric.rev261120.YangModuleInfoImpl.getInstance(),
            org.opendaylight.yang.svc.v1.urn.daqfabric.store.rev261120.YangModuleInfoImpl.getInstance())
            .map(YangModuleInfo::getName).collect(Collectors.toMap(name -> name.getLocalName(),
                name -> name.getRevision().map(Revision::toString).orElse("")));
        assertThat(revisions).isEqualTo(Map.of("daqfabric", "2026-11-20", "daqfabric-store", "2026-11-20"));
    }
}
