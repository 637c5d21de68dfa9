package org.daqfabric.impl.northbound;

import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an rpc answers when it fails: which input is wrong, or that something else is, which is logged. */
final class RpcFailures {
    private static final Logger LOG = LoggerFactory.getLogger(RpcFailures.class);

    private RpcFailures() {
    }

    static <T> RpcResult<T> answer(Throwable failure) {
        return switch (failure) {
            case InvalidInputException invalid ->
                answer(ErrorTag.INVALID_VALUE, ProblemText.of(invalid.problems()));
            case StandbyException standby -> answer(ErrorTag.RESOURCE_DENIED, standby.getMessage());
            case FrozenException frozen -> answer(ErrorTag.IN_USE, frozen.getMessage());
            default -> {
                LOG.error("An operation failed", failure);
                yield answer(ErrorTag.OPERATION_FAILED, String.valueOf(failure.getMessage()));
            }
        };
    }

    private static <T> RpcResult<T> answer(ErrorTag tag, String message) {
        return RpcResultBuilder.<T>failed().withError(ErrorType.APPLICATION, tag, message).build();
    }
}
