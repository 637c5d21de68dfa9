package org.daqfabric.api.history;

import java.time.Instant;
import java.util.Optional;

/**
 * One accepted configuration of a fabric, or its removal, without the configuration itself.
 *
 * @param number counts from 1, also across removals of the fabric
 * @param user who wrote it; empty if that is not known for certain
 * @param reason why, in the user's words; empty if none was given
 * @param summary what changed from the version before, in words
 * @param removal whether the fabric was removed
 */
public record FabricVersion(long number, Instant time, Optional<String> user, Optional<String> reason, String summary,
        boolean removal) {
}
