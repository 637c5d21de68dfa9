package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.SettableFuture;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.runcontrol.UnansweredException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.RealNumber;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.WholeNumber;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all rpcs share: reading their inputs, answering, and saying which input is wrong or what failed. */
final class RpcSupport {
    private static final Logger LOG = LoggerFactory.getLogger(RpcSupport.class);
    /** The error-app-tag of answers after which a program may repeat its request as it is; no refusal has it. */
    private static final String AGAIN = "try-again";
    private static final int LONGEST_NAME = 64;
    /** That of the model, which does not check rpc inputs: a key of another form cannot be made. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.\\-]*");
    /** Longer than any operation takes that is not stuck; a fabric's event loop answers within 120 s. */
    private static final int LIMIT_SECONDS = 130;

    private RpcSupport() {
    }

    /** Answers at once. */
    @SuppressWarnings("checkstyle:illegalCatch") // any failure is an answer to the caller
    static <T> ListenableFuture<RpcResult<T>> answer(Supplier<T> output) {
        try {
            return Futures.immediateFuture(RpcResultBuilder.success(output.get()).build());
        } catch (RuntimeException e) {
            return Futures.immediateFuture(failure(e));
        }
    }

    /**
     * Answers when an operation is done.
     *
     * @param operation reads the input and begins; may throw an {@link InvalidInputException}
     */
    static <F, T> ListenableFuture<RpcResult<T>> answer(Supplier<CompletionStage<F>> operation, Function<F, T> output) {
        return answerWith(operation, done -> RpcResultBuilder.success(output.apply(done)).build());
    }

    /** Answers when an operation is done that begins when all that is stored has been taken up. */
    static <F, T> ListenableFuture<RpcResult<T>> answer(Uptake uptake, Supplier<CompletionStage<F>> operation,
            Function<F, T> output) {
        return answer(() -> uptake.ofWhatIsStored().thenCompose(taken -> operation.get()), output);
    }

    /**
     * Answers when an operation is done, which may be a refusal, or with an error after {@link #LIMIT_SECONDS}.
     *
     * @param operation reads the input and begins; may throw an {@link InvalidInputException}
     */
    static <F, T> ListenableFuture<RpcResult<T>> answerWith(Supplier<CompletionStage<F>> operation,
            Function<F, RpcResult<T>> result) {
        SettableFuture<RpcResult<T>> answer = SettableFuture.create();
        try {
            operation.get().thenApply(result).toCompletableFuture().copy().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .whenComplete((done, failure) ->
                    answer.set(failure == null ? done : failure(Causes.of(failure))));
        } catch (InvalidInputException | StandbyException e) {
            answer.set(failure(e));
        }
        return answer;
    }

    /** What an rpc answers when it fails: which input is wrong, or that something else is, which is logged. */
    private static <T> RpcResult<T> failure(Throwable failure) {
        return switch (failure) {
            case InvalidInputException invalid -> failed(ErrorTag.INVALID_VALUE, ProblemText.of(invalid.problems()));
            case StandbyException standby -> failed(ErrorTag.RESOURCE_DENIED, standby.getMessage());
            case UnansweredException again -> RpcResultBuilder.<T>failed().withError(ErrorType.APPLICATION,
                ErrorTag.RESOURCE_DENIED, again.getMessage(), AGAIN, null, null).build();
            case FrozenException frozen -> failed(ErrorTag.IN_USE, frozen.getMessage());
            case TimeoutException late -> {
                LOG.error("An operation was not answered in time", late);
                yield failed(ErrorTag.OPERATION_FAILED, late.getMessage() != null ? late.getMessage()
                    : "no answer within " + LIMIT_SECONDS + " s; the controller's log may say why");
            }
            default -> {
                LOG.error("An operation failed", failure);
                yield failed(ErrorTag.OPERATION_FAILED, String.valueOf(failure.getMessage()));
            }
        };
    }

    static <T> RpcResult<T> failed(ErrorTag tag, String message) {
        return RpcResultBuilder.<T>failed().withError(ErrorType.APPLICATION, tag, message).build();
    }

    /**
     * The fabric that an input names.
     *
     * @throws InvalidInputException if it names none, or not by a name
     */
    static String fabric(String fabric) {
        if (fabric == null) {
            throw new InvalidInputException("fabric", "name the fabric, as in {\"input\":{\"fabric\":\"NAME\"}}");
        }
        checkName(fabric, "fabric");
        return fabric;
    }

    /**
     * The fabric that an input names, as the key of a list.
     *
     * @throws InvalidInputException if it names none, or by what no fabric is named
     */
    static String keyOfFabric(String fabric) {
        String name = fabric(fabric);
        if (!NAME.matcher(name).matches()) {
            throw new InvalidInputException("fabric", "a name holds letters, digits, '_', '.' and '-' and begins with a"
                + " letter, digit or '_'");
        }
        return name;
    }

    /** Refuses what no name can be. RESTCONF does not check the lengths of rpc inputs. */
    static void checkName(String name, String leaf) {
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new InvalidInputException(leaf, "a name has 1 to 64 characters");
        }
    }

    /**
     * A value that must be given.
     *
     * @param example in JSON, for the message
     */
    static <T> T given(T value, String leaf, String example) {
        if (value == null) {
            throw missing(leaf, example);
        }
        return value;
    }

    static InvalidInputException missing(String leaf, String example) {
        return new InvalidInputException(leaf,
            "is missing: give it, as in {\"input\":{\"" + leaf + "\":" + example + "}}");
    }

    static int required(WholeNumber value, String leaf, String example) {
        return toInt(requiredLong(value, leaf, example));
    }

    static long requiredLong(WholeNumber value, String leaf, String example) {
        return whole(given(value, leaf, example).getValue(), leaf);
    }

    /** A number that must be given unless it is known otherwise. */
    static int required(WholeNumber value, Optional<Integer> otherwise, String leaf, String example) {
        return value == null && otherwise.isPresent() ? otherwise.get() : required(value, leaf, example);
    }

    static double required(RealNumber value, String leaf, String example) {
        return real(given(value, leaf, example).getValue(), leaf);
    }

    static int or(WholeNumber value, String leaf, int otherwise) {
        return value == null ? otherwise : toInt(whole(value.getValue(), leaf));
    }

    static double or(RealNumber value, String leaf, double otherwise) {
        return value == null ? otherwise : real(value.getValue(), leaf);
    }

    static OptionalInt optional(WholeNumber value, String leaf) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(toInt(whole(value.getValue(), leaf)));
    }

    @SuppressWarnings("checkstyle:avoidHidingCauseException") // it says no more than the message
    static long whole(String value, String leaf) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw notANumber(leaf, "whole number");
        }
    }

    @SuppressWarnings("checkstyle:avoidHidingCauseException") // it says no more than the message
    static double real(String value, String leaf) {
        try {
            return new BigDecimal(value).doubleValue();
        } catch (NumberFormatException e) {
            throw notANumber(leaf, "number");
        }
    }

    private static InvalidInputException notANumber(String leaf, String kind) {
        return new InvalidInputException(leaf, "this is no " + kind + ", or too large for one");
    }

    /** No allowed range exceeds an int, so a number that is cut to an int stays out of its range. */
    private static int toInt(long value) {
        return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
}
