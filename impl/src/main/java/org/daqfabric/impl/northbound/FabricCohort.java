package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FluentFuture;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.daqfabric.impl.author.Author;
import org.daqfabric.impl.author.WriteEntry;
import org.daqfabric.impl.engine.check.Location;
import org.daqfabric.impl.engine.check.Problem;
import org.opendaylight.mdsal.common.api.DataValidationFailedException;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.PostCanCommitStep;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataBroker.CommitCohortExtension;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCandidate;
import org.opendaylight.mdsal.dom.api.DOMDataTreeCommitCohort;
import org.opendaylight.mdsal.dom.api.DOMDataTreeIdentifier;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.Write;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.common.ErrorSeverity;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.tree.api.DataTreeCandidateNode;
import org.opendaylight.yangtools.yang.data.tree.api.ModificationType;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses any write to the configuration after which a fabric would contradict itself or another, however small the
 * part that is written. The stored configuration, and so the running fabric, stays as it was. These checks also replace
 * the parts of YANG that the datastore does not enforce: leafref and must.
 *
 * <p>RESTCONF always gives the request's own path as error-path, so each line of the message begins with the path of
 * the offending node.
 */
public final class FabricCohort implements DOMDataTreeCommitCohort, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FabricCohort.class);

    private final BindingNormalizedNodeSerializer serializer;
    private final Function<String, Optional<String>> frozenBy;
    private final Supplier<Optional<String>> noSpace;
    private final YangInstanceIdentifier root;
    private final Registration registration;

    /**
     * Checks all writes from now until {@link #close()}.
     *
     * @param frozenBy why a fabric must not be changed now; empty if it may
     * @param noSpace why nothing but administrative states may be changed now; empty if all may
     */
    public FabricCohort(DOMDataBroker broker, BindingNormalizedNodeSerializer serializer,
            Function<String, Optional<String>> frozenBy, Supplier<Optional<String>> noSpace) {
        this.serializer = serializer;
        this.frozenBy = frozenBy;
        this.noSpace = noSpace;
        root = serializer.toYangInstanceIdentifier(DataObjectIdentifier.builder(Fabrics.class).build());
        CommitCohortExtension cohorts = broker.extension(CommitCohortExtension.class);
        if (cohorts == null) {
            throw new IllegalStateException("The data broker supports no commit cohorts, so contradictory fabrics "
                + "could not be refused");
        }
        registration = cohorts.registerCommitCohort(
            DOMDataTreeIdentifier.of(LogicalDatastoreType.CONFIGURATION, root), this);
    }

    @Override
    public FluentFuture<PostCanCommitStep> canCommit(Object txId, EffectiveModelContext context,
            Collection<DOMDataTreeCandidate> candidates) {
        for (DOMDataTreeCandidate candidate : candidates) {
            DataTreeCandidateNode node = candidate.getRootNode();
            if (node.modificationType() == ModificationType.SUBTREE_MODIFIED && touched(node).isEmpty()) {
                continue;  // no fabric changes
            }
            List<Problem> problems = frozen(node);
            if (problems.isEmpty() && node.dataAfter() != null) {
                problems = problems(node);
            }
            if (!problems.isEmpty()) {
                return refuse(problems, author(node));
            }
        }
        return PostCanCommitStep.NOOP_SUCCESSFUL_FUTURE;
    }

    /** While a run is in progress its fabric must not change, and while space is short only what repairs need. */
    private List<Problem> frozen(DataTreeCandidateNode node) {
        return names(node).stream().sorted().flatMap(name -> frozenBy.apply(name)
            .or(() -> noSpace.get().filter(why -> !changesAdminStatesOnly(node, name))).stream()
            .map(why -> new Problem(Location.fabric(name), "it is frozen: " + why))).toList();
    }

    private boolean changesAdminStatesOnly(DataTreeCandidateNode node, String name) {
        if (node.dataBefore() == null || node.dataAfter() == null) {
            return false;
        }
        Optional<Fabric> before = withoutAdminStates(fabrics(node.dataBefore()), name);
        return before.isPresent() && before.equals(withoutAdminStates(fabrics(node.dataAfter()), name));
    }

    private static Optional<Fabric> withoutAdminStates(Fabrics fabrics, String name) {
        return Optional.ofNullable(fabrics.nonnullFabric().get(new FabricKey(new Name(name)))).map(fabric ->
            new FabricBuilder(fabric)
                .setSwitch(BindingMap.of(fabric.nonnullSwitch().values().stream()
                    .map(each -> new SwitchBuilder(each).setAdminState(null).build()).toList()))
                .setLink(BindingMap.of(fabric.nonnullLink().values().stream()
                    .map(each -> new LinkBuilder(each).setAdminState(null).build()).toList()))
                .build());
    }

    private Fabrics fabrics(NormalizedNode data) {
        return (Fabrics) serializer.fromNormalizedNode(root, data).getValue();
    }

    /** The fabrics that a write changes. */
    private Set<String> names(DataTreeCandidateNode node) {
        if (node.dataAfter() != null) {
            return touched(node);
        }
        return node.dataBefore() == null ? Set.of()
            : fabrics(node.dataBefore()).nonnullFabric().keySet().stream()
                .map(key -> key.getName().getValue()).collect(Collectors.toSet());
    }

    @SuppressWarnings("checkstyle:illegalCatch") // a write that cannot be checked is refused
    private List<Problem> problems(DataTreeCandidateNode node) {
        try {
            return CheckedFabrics.of(untouchedFirst(fabrics(node.dataAfter()).nonnullFabric().values(), touched(node)))
                .problems();
        } catch (RuntimeException e) {
            LOG.error("A write could not be checked and is refused", e);
            return List.of(new Problem(Location.fabrics(), "the write could not be checked: " + e.getMessage()));
        }
    }

    /** If two fabrics contradict each other the problem is reported for the later one: let that be the one written. */
    private static List<Fabric> untouchedFirst(Collection<Fabric> fabrics, Set<String> touched) {
        return fabrics.stream().sorted(Comparator
            .comparing((Fabric fabric) -> touched.contains(fabric.requireName().getValue()))
            .thenComparing(fabric -> fabric.requireName().getValue())).toList();
    }

    private static Set<String> touched(DataTreeCandidateNode node) {
        DataTreeCandidateNode list = node.modifiedChild(new NodeIdentifier(Fabric.QNAME));
        return list == null ? Set.of() : list.childNodes().stream()
            .filter(entry -> entry.modificationType() != ModificationType.UNMODIFIED)
            .flatMap(entry -> ((NodeIdentifierWithPredicates) entry.name()).values().stream())
            .map(Object::toString).collect(Collectors.toSet());
    }

    /** Who made the write; unknown unless exactly one entry says so. */
    private static Author author(DataTreeCandidateNode node) {
        DataTreeCandidateNode list = node.modifiedChild(new NodeIdentifier(Write.QNAME));
        List<Author> authors = list == null ? List.of() : list.childNodes().stream()
            .filter(entry -> entry.dataBefore() == null && entry.dataAfter() instanceof MapEntryNode)
            .map(entry -> WriteEntry.read((MapEntryNode) entry.dataAfter())).toList();
        return authors.size() == 1 ? authors.get(0) : Author.UNKNOWN;
    }

    private FluentFuture<PostCanCommitStep> refuse(List<Problem> problems, Author author) {
        String message = ProblemText.of(problems);
        LOG.info("Refused a write by {}{}: {}", author.userText(),
            author.reason().map(reason -> " (" + reason + ")").orElse(""), message);
        return FluentFutures.immediateFailedFluentFuture(new DataValidationFailedException(
            YangInstanceIdentifier.class, root, message, new NetconfDocumentedException(message, ErrorType.APPLICATION,
                ErrorTag.INVALID_VALUE, ErrorSeverity.ERROR)));
    }

    @Override
    public void close() {
        registration.close();
    }
}
