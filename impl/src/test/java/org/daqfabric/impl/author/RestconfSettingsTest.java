package org.daqfabric.impl.author;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestconfSettingsTest {
    @TempDir
    private Path etc;

    @Test
    void theFileStaysWhenTheControllerStops() {
        new RestconfSettings(etc, () -> true).deactivate();
        assertThat(etc.resolve(RestconfSettings.FILE)).content().contains("\ndataBroker.target=(type=");
    }

    @Test
    void theFileGoesWithTheFeatureAndComesBackWithIt() throws IOException {
        Path file = Files.writeString(etc.resolve(RestconfSettings.FILE), "of the feature");
        var settings = new RestconfSettings(etc, () -> false);
        assertThat(file).hasContent("of the feature");
        settings.deactivate();
        assertThat(file).doesNotExist();
        new RestconfSettings(etc, () -> true);
        assertThat(file).content().contains("daqfabric-authored");
    }
}
