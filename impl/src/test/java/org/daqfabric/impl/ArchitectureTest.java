package org.daqfabric.impl;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.Filter;
import org.junit.jupiter.api.Test;
import org.osgi.service.component.annotations.Component;

/** Decisions stay pure, and everything flows one way: northbound, controller, drivers. */
class ArchitectureTest {
    private static final String FILTER_NAME = "osgi.http.whiteboard.filter.name=";
    private static final JavaClasses CLASSES = MainClasses.ALL;

    @Test
    void domainAndEngineKnowNoPlatform() {
        ArchRule rule = noClasses()
            .that().resideInAnyPackage("org.daqfabric.api..", "org.daqfabric.impl.engine..")
            .should().dependOnClassesThat(resideInAnyPackage("org.opendaylight..", "org.osgi..", "org.slf4j..",
                "java.util.concurrent..", "java.net..", "java.io..", "java.nio.channels..", "java.nio.file..")
                // the value by which Guava reads and writes addresses; that looks no name up
                .and(not(type(InetAddress.class))));
        rule.check(CLASSES);
    }

    @Test
    void engineKnowsNoClockAndNoChance() {
        ArchRule rule = noClasses()
            .that().resideInAPackage("org.daqfabric.impl.engine..")
            .should().dependOnClassesThat().haveNameMatching(
            "java\\.time\\.(Clock|InstantSource|Instant)|java\\.util\\.Random|java\\.lang\\.Thread");
        rule.check(CLASSES);
    }

    @Test
    void controllerKnowsNoPlatform() {
        ArchRule rule = noClasses()
            .that().resideInAPackage("org.daqfabric.impl.controller..")
            .should().dependOnClassesThat().resideInAnyPackage("org.opendaylight..", "org.osgi..");
        rule.check(CLASSES);
    }

    @Test
    void oneWay() {
        ArchRule rule = noClasses()
            .that().resideInAnyPackage("org.daqfabric.impl.engine..", "org.daqfabric.impl.controller..")
            .should().dependOnClassesThat().resideInAnyPackage("org.daqfabric.impl.northbound..",
            "org.daqfabric.impl.openflow..", "org.daqfabric.impl.ovsdb..");
        rule.check(CLASSES);
    }

    @Test
    void driversKnowNothingOfEachOther() {
        ArchRule rule = slices()
            .matching("org.daqfabric.impl.(northbound|openflow|ovsdb)..").should().notDependOnEachOther();
        rule.check(CLASSES);
    }

    /**
     * Instance paths of RESTCONF are written northbound; the rest of the code says where something is wrong as data.
     */
    @Test
    void northboundAloneWritesInstancePaths() throws IOException {
        Pattern instancePath = Pattern.compile("\"/(?:input|daqfabric:)");
        List<Path> sources = new ArrayList<>();
        for (String module : List.of("../api", ".")) {
            try (Stream<Path> files = Files.walk(Path.of(module, "src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        List<Path> writers = new ArrayList<>();
        for (Path source : sources) {
            if (instancePath.matcher(Files.readString(source)).find()) {
                writers.add(source);
            }
        }
        assertThat(writers).isNotEmpty().allSatisfy(writer -> assertThat(writer.toString()).contains("/northbound/"));
    }

    /** The rooms of the controller: each may use those after it. */
    @Test
    void roomsOfTheControllerHaveADirection() {
        String controller = "org.daqfabric.impl.controller";
        layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("loop").definedBy(controller)
            .layer("whatif").definedBy(controller + ".whatif")
            .layer("rollout").definedBy(controller + ".rollout")
            .layer("links").definedBy(controller + ".links")
            .layer("spi").definedBy(controller + ".spi")
            .whereLayer("loop").mayNotBeAccessedByAnyLayer()
            .whereLayer("whatif").mayOnlyBeAccessedByLayers("loop")
            .whereLayer("rollout").mayOnlyBeAccessedByLayers("loop", "whatif")
            .whereLayer("links").mayOnlyBeAccessedByLayers("loop", "whatif")
            .whereLayer("spi").mayOnlyBeAccessedByLayers("loop", "whatif", "rollout", "links")
            .check(CLASSES);
    }

    /** The edges know what the controller asks of them, and nothing of how it works. */
    @Test
    void driversKnowOnlyTheInterfacesOfTheController() {
        ArchRule rule = noClasses()
            .that().resideInAnyPackage("org.daqfabric.impl.openflow..", "org.daqfabric.impl.ovsdb..")
            .should().dependOnClassesThat(resideInAPackage("org.daqfabric.impl.controller..")
            .and(resideOutsideOfPackage("org.daqfabric.impl.controller.spi")));
        rule.check(CLASSES);
    }

    /** Commands are for whoever has no more than what other bundles have. */
    @Test
    void shellKnowsTheServiceAlone() {
        ArchRule rule = noClasses()
            .that().resideInAPackage("org.daqfabric.impl.cli..")
            .should().dependOnClassesThat(resideInAPackage("org.daqfabric.impl..")
            .and(resideOutsideOfPackage("org.daqfabric.impl.cli..")).or(resideInAPackage("org.opendaylight..")));
        rule.check(CLASSES);
    }

    /** What members tell each other of users, hashes of passwords included, goes past the datastore and its models. */
    @Test
    void usersAreNotInTheDatastore() {
        ArchRule rule = noClasses()
            .that().resideInAPackage("org.daqfabric.impl.users..")
            .should().dependOnClassesThat().resideInAnyPackage("org.opendaylight.mdsal..", "org.opendaylight.yang..",
                "org.opendaylight.yangtools..", "org.opendaylight.controller.cluster.datastore..");
        rule.check(CLASSES);
    }

    @Test
    void noCycles() {
        ArchRule rule = slices().matching("org.daqfabric.impl.(**)").should().beFreeOfCycles();
        rule.check(CLASSES);
    }

    /**
     * Of all filters without a name the web server takes one, and of all with the same name, in whatever application:
     * each of ours has one that nobody else has.
     */
    @Test
    void everyFilterHasANameOfItsOwn() {
        Map<String, List<String>> names = CLASSES.stream().filter(each -> each.isAnnotatedWith(Component.class)
            && each.isAssignableTo(Filter.class)).collect(Collectors.groupingBy(ArchitectureTest::filterName,
                Collectors.mapping(JavaClass::getSimpleName, Collectors.toList())));
        assertThat(names).hasSizeGreaterThan(10);
        assertThat(names.keySet()).allMatch(name -> name.startsWith("daqfabric-"));
        assertThat(names.values()).allSatisfy(filters -> assertThat(filters).hasSize(1));
    }

    private static String filterName(JavaClass filter) {
        return Stream.of((String[]) filter.getAnnotationOfType(Component.class.getName()).get("property").orElseThrow())
            .filter(each -> each.startsWith(FILTER_NAME)).map(each -> each.substring(FILTER_NAME.length())).findFirst()
            .orElse("");
    }

    /** A name stands for one thing, in tests too. */
    @Test
    void noTopLevelNameIsThereTwice() throws IOException {
        Map<String, List<Path>> byName = sources(".").stream()
            .filter(source -> !source.endsWith("package-info.java"))
            .collect(Collectors.groupingBy(source -> source.getFileName().toString()));
        assertThat(byName).hasSizeGreaterThan(300);
        assertThat(byName.values()).allSatisfy(files -> assertThat(files).hasSize(1));
    }

    /** A newcomer learns from each package what lives there. */
    @Test
    void everyPackageIsDescribed() throws IOException {
        Set<Path> packages = new TreeSet<>();
        for (Path source : sources("../api", ".")) {
            if (source.toString().contains("src/main/java")) {
                packages.add(source.getParent());
            }
        }
        assertThat(packages).hasSizeGreaterThan(30)
            .allSatisfy(folder -> assertThat(folder.resolve("package-info.java")).exists());
    }

    /** A class that does not fit into 400 lines does more than one thing. */
    @Test
    void noSourceIsLongerThan400Lines() throws IOException {
        for (Path source : sources("../api", ".")) {
            try (Stream<String> lines = Files.lines(source)) {
                assertThat(lines.count()).as(source.toString()).isLessThanOrEqualTo(400);
            }
        }
    }

    private static List<Path> sources(String... modules) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : modules) {
            try (Stream<Path> files = Files.walk(Path.of(module, "src"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }
}
