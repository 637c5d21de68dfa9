package org.daqfabric.impl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.FabricServices;
import org.daqfabric.impl.controller.LatestStates;
import org.junit.jupiter.api.Test;

class ControllerServiceTest {
    private final FabricManager manager = new FabricManager(new FabricServices(null, null, null, Clocks.system(),
        (delay, task) -> { },
        Runnable::run, Runnable::run, Runnable::run, Duration.ZERO, null));
    private final ControllerService service =
        new ControllerService(manager, new LatestStates(), null, null, null, null, null, null, null);

    /** Messages of refusals do not contain paths of an rpc's input. */
    @Test
    void refusalsAreInWords() {
        assertThat(service.fabrics()).isEmpty();
        Stream.<ThrowingCallable>of(() -> service.spec("f"), () -> service.state("f"), () ->
            service.verify("f", Set.of()),
            () -> service.resync("f", Set.of()), () -> service.rebalance("f", OptionalInt.empty()),
            () -> service.plan("f", WhatIf.fail(new FabricParts(List.of("p1s1"), List.of()))),
            () -> service.trace("f", "r", "d", FabricParts.NONE),
            () -> service.setAdminState("f", FabricParts.NONE, AdminState.DRAINED, Optional.empty()), () ->
            service.examine(Optional.of("f")))
            .forEach(call -> assertThatThrownBy(call).isInstanceOf(NotDoneException.class)
                .hasMessage("there is no fabric f; none is configured"));
    }
}
