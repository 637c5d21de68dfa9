package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.daqfabric.api.program.SwitchRules;
import org.daqfabric.api.program.SwitchRules.Entry;
import org.daqfabric.api.program.SwitchRules.GroupEntry;
import org.daqfabric.api.program.SwitchRules.RuleEntry;
import org.daqfabric.api.program.SwitchRules.State;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.controller.whatif.RuleQueries;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.EntryState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ExportTopology;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ExportTopologyInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ExportTopologyOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ExportTopologyOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Rules;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RulesInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RulesOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RulesOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.rules.output.Group;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.rules.output.GroupBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.rules.output.Rule;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.rules.output.RuleBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;

/** The rpcs rules and export-topology of module daqfabric-operations. */
public final class ViewRpcs implements AutoCloseable {
    private static final int USUAL_LIMIT = 1000;
    private static final int MAX_LIMIT = 10_000;

    private final RuleQueries rules;
    private final Function<String, String> networks;
    private final Uptake uptake;
    private final Registration registration;

    /**
     * Registers the rpcs.
     *
     * @param networks a fabric by its name as a document of RFC 8345; throws an {@link InvalidInputException} where
     *     there is none
     */
    public ViewRpcs(RpcProviderService rpcs, RuleQueries rules, Function<String, String> networks,
            Uptake uptake) {
        this.rules = rules;
        this.networks = networks;
        this.uptake = uptake;
        registration = rpcs.registerRpcImplementations((Rules) this::rules, (ExportTopology) this::export);
    }

    @Override
    public void close() {
        registration.close();
    }

    private ListenableFuture<RpcResult<ExportTopologyOutput>> export(ExportTopologyInput input) {
        return RpcSupport.answer(() -> new ExportTopologyOutputBuilder()
            .setDocument(networks.apply(RpcSupport.fabric(input.getFabric()))).build());
    }

    private ListenableFuture<RpcResult<RulesOutput>> rules(RulesInput input) {
        return RpcSupport.answer(uptake, () -> {
            bounded(RpcSupport.optional(input.getOffset(), "offset"), "offset", Integer.MAX_VALUE);
            bounded(RpcSupport.optional(input.getLimit(), "limit"), "limit", MAX_LIMIT);
            String fabric = RpcSupport.fabric(input.getFabric());
            String switchName = RpcSupport.given(input.getSwitch(), "switch", "\"NAME\"");
            RpcSupport.checkName(switchName, "switch");
            return rules.of(fabric, switchName, address(input.getAddress()));
        }, found -> output(found, RpcSupport.optional(input.getOffset(), "offset").orElse(0),
            RpcSupport.optional(input.getLimit(), "limit").orElse(USUAL_LIMIT)));
    }

    private static void bounded(OptionalInt number, String leaf, int most) {
        if (number.isPresent() && (number.getAsInt() < 0 || number.getAsInt() > most)) {
            throw new InvalidInputException(leaf, "a number from 0 to " + most);
        }
    }

    @SuppressWarnings("checkstyle:avoidHidingCauseException") // it says no more than the message
    private static Optional<Address> address(String text) {
        try {
            return Optional.ofNullable(text).map(Address::parse);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("address", e.getMessage());
        }
    }

    private static RulesOutput output(SwitchRules found, int offset, int limit) {
        List<Entry> page = found.entries().stream().skip(offset).limit(limit).toList();
        return new RulesOutputBuilder()
            .setEntries(Uint32.valueOf(found.entries().size()))
            .setDifferences(found.unread().isEmpty() ? Uint32.valueOf(found.entries().stream()
                .filter(each -> each.state() != State.INSTALLED && each.state() != State.FOREIGN).count()) : null)
            .setUnread(YangValues.absent(found.unread()))
            .setOpaqueRules(Uint32.valueOf(found.opaque()))
            .setRule(page.stream().filter(RuleEntry.class::isInstance).map(RuleEntry.class::cast).map(ViewRpcs::rule)
                .toList())
            .setGroup(page.stream().filter(GroupEntry.class::isInstance).map(GroupEntry.class::cast)
                .map(ViewRpcs::group).toList())
            .build();
    }

    private static EntryState state(Entry entry) {
        return EntryState.ofName(Enums.yang(entry.state()));
    }

    private static Rule rule(RuleEntry entry) {
        return new RuleBuilder().setState(state(entry)).setPriority(Uint16.valueOf(entry.priority()))
            .setMatch(entry.name())
            .setCookie(entry.cookie() == 0 ? null : "0x" + Long.toHexString(entry.cookie()))
            .setDesired(YangValues.absent(entry.desired())).setInstalled(YangValues.absent(entry.installed())).build();
    }

    private static Group group(GroupEntry entry) {
        return new GroupBuilder().setState(state(entry)).setId(entry.name())
            .setDesired(YangValues.absent(entry.desired())).setInstalled(YangValues.absent(entry.installed())).build();
    }
}
