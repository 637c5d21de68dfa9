package org.daqfabric.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.diff.Diff;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.platform.OpenFlowListener;
import org.opendaylight.infrautils.diagstatus.DiagStatusService;
import org.opendaylight.infrautils.diagstatus.ServiceRegistration;
import org.opendaylight.openflowjava.protocol.impl.core.SwitchConnectionProviderFactoryImpl;

/**
 * How fast rules are programmed into a real Open vSwitch: by the OpenFlow code of the controller and by
 * {@code ovs-ofctl --bundle add-flows} in turn. The time of ovs-ofctl starts with its process, as for an operator, that
 * of the controller with a call; both end when the switch has confirmed. Arguments: the folder with the sockets of an
 * Open vSwitch, the file for the results, and the number of switches of ATLAS Run 2 that get a bridge each.
 */
public final class ProgrammingRate {
    private static final Group GROUP = new Group(0xda000001, Group.Type.FAST_FAILOVER,
        List.of(Group.Bucket.out(1), Group.Bucket.out(2)));

    private final Ofctl ofctl;
    private final OpenFlowRuleChannel channel;
    private final Switches switches = new Switches();
    private final Map<String, Object> results = new LinkedHashMap<>();

    private ProgrammingRate(Path folder) {
        ofctl = new Ofctl(folder);
        channel = new OpenFlowRuleChannel(switches, new Switches.Known(), 60_000);
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        ProgrammingRate rate = new ProgrammingRate(folder);
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (OpenFlowRuleChannel closed = rate.channel;
                OpenFlowListener listener = new OpenFlowListener(new SwitchConnectionProviderFactoryImpl(noHealth()),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Optional.empty(), rate.channel)) {
            Bridges bridges = new Bridges(folder, port);
            bridges.addUpTo(1);
            rate.switches.awaitConnected(1);
            rate.measureBridge(10_000, 20);
            rate.measureBridge(100_000, 10);
            Case atlas = Case.of("atlas");
            SortedMap<String, Program> programs = atlas.programs(UnusableLinks.ALL_UP, atlas.placement);
            List<Program> some = evenly(List.copyOf(programs.values()), Integer.parseInt(arguments[2]));
            bridges.addUpTo(some.size());
            rate.switches.awaitConnected(some.size());
            rate.measureFabric(some, 3);
        }
        Gson gson = new GsonBuilder().setPrettyPrinting().create();
        Files.writeString(Path.of(arguments[1]), gson.toJson(rate.results));
    }

    /** A number of programs at equal distances in a list. */
    private static List<Program> evenly(List<Program> programs, int count) {
        int taken = Math.min(count, programs.size());
        return IntStream.range(0, taken).mapToObj(each -> programs.get(each * programs.size() / taken)).toList();
    }

    /** Programs rules of an edge switch into one bridge. */
    private void measureBridge(int rules, int rounds) throws Exception {
        List<Message> messages = IntStream.range(0, rules).<Message>mapToObj(each -> new Message.PutRule(new Rule(100,
            Match.to(Address.ofIpv4(0x0a000000 + each)), List.of(new Action.ToGroup(GROUP.id()))))).toList();
        Path file = ofctl.write("rules.txt", messages.stream()
            .map(message -> Ofctl.text(((Message.PutRule) message).rule())).toList());
        String bridge = Bridges.name(1);
        Times ours = new Times();
        Times ofctlTimes = new Times();
        for (int round = 0; round < rounds; round++) {
            empty(bridge);
            ours.time(() -> check(channel.send(1, messages)));
            expect(bridge, rules);
            empty(bridge);
            ofctlTimes.time(() -> ofctl.addRules(bridge, file));
            expect(bridge, rules);
        }
        ofctl.empty(bridge);
        report(rules + " rules, one bridge", rules, ours, ofctlTimes);
    }

    private void empty(String bridge) throws Exception {
        ofctl.empty(bridge);
        check(channel.send(1, List.of(new Message.AddGroup(GROUP))));
    }

    private void expect(String bridge, int rules) throws IOException, InterruptedException {
        int found = ofctl.rules(bridge);
        if (found != rules) {
            throw new IllegalStateException(bridge + " holds " + found + " rules instead of " + rules);
        }
    }

    /** Programs one bridge per switch; two ovs-ofctl run at a time, as there are two processors. */
    private void measureFabric(List<Program> programs, int rounds) throws Exception {
        List<Path> rules = new ArrayList<>();
        List<Path> groups = new ArrayList<>();
        for (int each = 0; each < programs.size(); each++) {
            Program program = programs.get(each);
            rules.add(ofctl.write("rules-" + each, program.rules().values().stream().map(Ofctl::text).toList()));
            // a group comes after those that it watches
            groups.add(ofctl.write("groups-" + each, program.groups().values().stream()
                .sorted((a, b) -> Integer.compare(watches(a), watches(b))).map(Ofctl::text).toList()));
        }
        int all = programs.stream().mapToInt(program -> program.rules().size()).sum();
        Times ours = new Times();
        Times ofctlTimes = new Times();
        for (int round = 0; round < rounds; round++) {
            forAll(programs.size(), each -> ofctl.empty(Bridges.name(each + 1)));
            ours.time(() -> {
                List<CompletableFuture<?>> done = new ArrayList<>();
                for (int each = 0; each < programs.size(); each++) {
                    done.add(program(each + 1, Program.EMPTY, programs.get(each), 0).toCompletableFuture());
                }
                for (CompletableFuture<?> one : done) {
                    one.get();
                }
            });
            forAll(programs.size(), each -> expect(Bridges.name(each + 1), programs.get(each).rules().size()));
            forAll(programs.size(), each -> ofctl.empty(Bridges.name(each + 1)));
            ofctlTimes.time(() -> forAll(programs.size(), each -> {
                ofctl.addGroups(Bridges.name(each + 1), groups.get(each));
                ofctl.addRules(Bridges.name(each + 1), rules.get(each));
            }));
            forAll(programs.size(), each -> expect(Bridges.name(each + 1), programs.get(each).rules().size()));
        }
        report("ATLAS Run 2, " + programs.size() + " bridges", all, ours, ofctlTimes);
    }

    private static int watches(Group group) {
        return group.buckets().stream().anyMatch(bucket -> bucket.watchGroup().isPresent()) ? 1 : 0;
    }

    /** Programs a bridge stage by stage, as the driver of a switch does. */
    private CompletionStage<?> program(long bridge, Program installed, Program desired, int stage) {
        if (stage == Stage.values().length) {
            return CompletableFuture.completedFuture(null);
        }
        List<Message> next = Diff.next(installed, desired, Stage.values()[stage]);
        return next.isEmpty() ? program(bridge, installed, desired, stage + 1)
            : channel.send(bridge, next).thenCompose(refusals -> {
                if (!refusals.isEmpty()) {
                    throw new IllegalStateException("refused: " + refusals.get(0));
                }
                return program(bridge, Applied.to(installed, next), desired, stage);
            });
    }

    private static void check(CompletionStage<List<RuleChannel.Refusal>> sent)
            throws InterruptedException, ExecutionException {
        List<RuleChannel.Refusal> refusals = sent.toCompletableFuture().get();
        if (!refusals.isEmpty()) {
            throw new IllegalStateException("refused: " + refusals.get(0));
        }
    }

    /** A task for one of several bridges. */
    private interface BridgeTask {
        void run(int bridge) throws Exception;
    }

    private static void forAll(int bridges, BridgeTask task) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            List<Future<?>> done = new ArrayList<>();
            for (int bridge = 0; bridge < bridges; bridge++) {
                int number = bridge;
                done.add(executor.submit(() -> {
                    task.run(number);
                    return null;
                }));
            }
            for (Future<?> one : done) {
                one.get();
            }
        }
    }

    private void report(String what, int rules, Times ours, Times ofctlTimes) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("rules", rules);
        numbers.put("ours", ours.numbers(rules));
        numbers.put("ovs-ofctl", ofctlTimes.numbers(rules));
        numbers.put("ratio of medians", ofctlTimes.median() / ours.median());
        results.put(what, numbers);
        System.out.printf("%-32s ours %,9.0f rules/s (%s)%n%-32s ovs-ofctl %,9.0f rules/s (%s); ratio %.2f%n", what,
            rules / ours.median(), ours, "", rules / ofctlTimes.median(), ofctlTimes,
            ofctlTimes.median() / ours.median());
    }

    /** Wall clock times with the CPU time and allocation of this process. */
    private static final class Times {
        private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

        private final List<Double> seconds = new ArrayList<>();
        private final List<Double> processor = new ArrayList<>();
        private final List<Double> allocated = new ArrayList<>();

        private interface Task {
            void run() throws Exception;
        }

        void time(Task task) throws Exception {
            final long allocatedBefore = THREADS.getTotalThreadAllocatedBytes();
            long processorBefore = SYSTEM.getProcessCpuTime();
            long begin = System.nanoTime();
            task.run();
            seconds.add((System.nanoTime() - begin) / 1e9);
            processor.add((SYSTEM.getProcessCpuTime() - processorBefore) / 1e9);
            allocated.add((double) THREADS.getTotalThreadAllocatedBytes() - allocatedBefore);
        }

        double median() {
            return quantile(seconds, 0.5);
        }

        Map<String, Object> numbers(int rules) {
            Map<String, Object> numbers = new LinkedHashMap<>();
            numbers.put("seconds min", quantile(seconds, 0));
            numbers.put("seconds median", median());
            numbers.put("seconds p99", quantile(seconds, 0.99));
            numbers.put("rules per second, median", rules / median());
            numbers.put("CPU seconds of this process, median", quantile(processor, 0.5));
            numbers.put("bytes allocated per rule, median", quantile(allocated, 0.5) / rules);
            return numbers;
        }

        private static double quantile(List<Double> values, double share) {
            double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
        }

        @Override
        public String toString() {
            double[] sorted = seconds.stream().mapToDouble(each -> each * 1000).sorted().toArray();
            return "min %.0f, median %.0f, max %.0f ms, CPU %.0f ms".formatted(sorted[0], median() * 1000,
                sorted[sorted.length - 1], quantile(processor, 0.5) * 1000)
                + ", n=" + Arrays.toString(new int[] {sorted.length});
        }
    }

    /** A health service without effect: the library needs one. */
    private static DiagStatusService noHealth() {
        return (DiagStatusService) Proxy.newProxyInstance(ProgrammingRate.class.getClassLoader(),
            new Class<?>[] {DiagStatusService.class}, (health, method, arguments) ->
                Proxy.newProxyInstance(ProgrammingRate.class.getClassLoader(),
                    new Class<?>[] {ServiceRegistration.class}, (registration, report, state) -> null));
    }
}
