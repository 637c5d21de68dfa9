package org.daqfabric.impl.controller.whatif;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.SwitchRules;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.trace.RuleListing;

/** Answers which rules and groups a switch must hold and which it holds. Nothing is changed. */
public final class RuleQueries {
    private final WhatIfQueries fabrics;
    private final LongFunction<CompletionStage<InstalledState>> reader;

    /**
     * Creates the queries.
     *
     * @param reader reads what the switch of a datapath-id has installed; called by any thread
     */
    public RuleQueries(WhatIfQueries fabrics, LongFunction<CompletionStage<InstalledState>> reader) {
        this.fabrics = fabrics;
        this.reader = reader;
    }

    /**
     * The rules and groups of a switch, which is read for this. While it is being changed, it may differ from what it
     * must hold.
     *
     * @param address only what concerns packets to it; empty for all
     * @return fails with an {@link InvalidInputException} where a name is wrong
     */
    public CompletionStage<SwitchRules> of(String fabric, String switchName, Optional<Address> address) {
        return fabrics.program(fabric, switchName).thenCompose(desired ->
            reader.apply(desired.datapathId()).handle((read, failure) -> failure == null
                ? new SwitchRules(switchName, RuleListing.of(desired.program(), Optional.of(read.ours()),
                    read.foreign(), address), "", read.opaque())
                : new SwitchRules(switchName, RuleListing.of(desired.program(), Optional.empty(), Program.EMPTY,
                    address), Causes.inWords(failure), 0)));
    }
}
