package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Links of a topology that lead to what is not there are found; a validator passes them. Needs no controller. */
class TopologyEndsIT {
    /** As `export-topology` has it. */
    private static final String EXPORT = """
        {"network-id": "daqfabric:x", "node": [
          {"node-id": "a", "ietf-network-topology:termination-point": [{"tp-id": "to-b"}]},
          {"node-id": "b", "ietf-network-topology:termination-point": [{"tp-id": "to-a"}]}],
         "ietf-network-topology:link": [
          {"link-id": "a:to-b", "source": {"source-node": "a", "source-tp": "to-b"},
           "destination": {"dest-node": "b", "dest-tp": "to-a"}},
          {"link-id": "b:to-a", "source": {"source-node": "b", "source-tp": "to-a"},
           "destination": {"dest-node": "a", "dest-tp": "to-b"}}]}""";

    private static JsonObject json(final String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    private static List<String> dangling(final String old, final String changed) {
        assertThat(EXPORT).contains(old);
        return TopologyEnds.dangling(json(EXPORT.replace(old, changed)));
    }

    @Test
    void whatIsThereIsFound() {
        assertThat(TopologyEnds.dangling(json(EXPORT))).isEmpty();
        assertThat(TopologyEnds.dangling(json(EXPORT.replace("ietf-network-topology:", "")))).isEmpty();
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThat(dangling("\"dest-node\": \"b\"", "\"dest-node\": \"c\""))
            .containsExactly("a:to-b destination: c", "a:to-b destination: c to-a");
        assertThat(dangling("\"source-tp\": \"to-a\"", "\"source-tp\": \"to-c\""))
            .containsExactly("b:to-a source: b to-c");
        assertThat(dangling("[{\"tp-id\": \"to-b\"}]", "[]"))
            .containsExactly("a:to-b source: a to-b", "b:to-a destination: a to-b");
        assertThat(dangling(", \"dest-tp\": \"to-b\"", "")).containsExactly("b:to-a destination: a no dest-tp");
        assertThat(dangling("\"destination\": {\"dest-node\": \"a\"", "\"elsewhere\": {\"dest-node\": \"a\""))
            .containsExactly("b:to-a destination: missing");
    }

    @Test
    void aTopologyWithoutLinksProvesNothing() {
        assertThatThrownBy(() -> TopologyEnds.dangling(json("{\"node\": [{\"node-id\": \"a\"}]}")))
            .hasMessageContaining("no links");
    }
}
