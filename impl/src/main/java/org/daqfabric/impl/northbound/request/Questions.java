package org.daqfabric.impl.northbound.request;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.servlet.http.HttpServletRequest;

/**
 * The questions that take the controller or its switches long, and are answered one after another by one thread: nobody
 * fills its queue alone. Of each rpc a user has so much at a time, those who may change nothing twice as much together,
 * all four times as much.
 */
final class Questions {
    private static final String MODULE = "daqfabric-operations:";
    private static final String PLAN = MODULE + "plan";
    /** Bytes of a question about the fabric as it is, and of a candidate that takes little time. */
    private static final int SMALL = 64 << 10;
    /** What a user has at a time: one of the longest questions, or so many short ones. */
    private static final int OF_USER = 8;
    /** What answers take, but for a large plan. To verify, all rules of all switches are read and kept. */
    private static final Map<String, Integer> COSTS = Map.of(PLAN, 1, MODULE + "verify", OF_USER, MODULE + "traffic", 2,
        MODULE + "what-fails", 2, MODULE + "schedule", 2, MODULE + "trace", 1, MODULE + "rules", 1);

    private final Map<String, Shares> shares = COSTS.keySet().stream().collect(Collectors.toUnmodifiableMap(
        Function.identity(), name -> new Shares(4 * OF_USER, OF_USER, 2 * OF_USER)));

    /** What a request asks; empty if it is none of these questions. */
    Optional<Question> of(Target target, HttpServletRequest request) {
        return target.rpcName().filter(shares::containsKey).map(name -> new Question(name.substring(MODULE.length()),
            shares.get(name), Shares.Owner.of(request), cost(name, request.getContentLengthLong())));
    }

    /**
     * What an answer costs.
     *
     * @param length of the request's body; negative if it does not say, which may be large
     */
    private static int cost(String name, long length) {
        return name.equals(PLAN) && (length < 0 || length > SMALL) ? OF_USER : COSTS.get(name);
    }

    /**
     * One question of somebody.
     *
     * @param name of the rpc
     */
    record Question(String name, Shares shares, Shares.Owner owner, int cost) {
        /** Why it is not answered now; empty if it is, until {@link #end}. */
        Optional<Fault> begin() {
            return shares.take(owner, cost) ? Optional.empty()
                : Optional.of(Fault.tryAgain(shares.taken(owner.user()) + cost > OF_USER
                    ? "user " + owner.user() + " waits for answers of rpc " + name + " already: ask again when they are"
                        + " there"
                    : "rpc " + name + " has as many questions of others to answer as there may be: ask again in a"
                        + " second"));
        }

        void end() {
            shares.take(owner, -cost);
        }
    }
}
