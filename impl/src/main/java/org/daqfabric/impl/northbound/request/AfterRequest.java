package org.daqfabric.impl.northbound.request;

import java.io.IOException;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Does something when a request is over that is answered on another thread. */
record AfterRequest(Runnable task) implements AsyncListener {
    /** Passes a request on, and does something when it is over, whoever answers it. */
    static void of(FilterChain chain, HttpServletRequest request, HttpServletResponse response, Runnable task)
            throws IOException, ServletException {
        boolean later = false;
        try {
            chain.doFilter(request, response);
            later = request.isAsyncStarted();
            if (later) {
                request.getAsyncContext().addListener(new AfterRequest(task));
            }
        } finally {
            if (!later) {
                task.run();
            }
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        task.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // it is completed next
    }

    @Override
    public void onError(AsyncEvent event) {
        // it is completed next
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
