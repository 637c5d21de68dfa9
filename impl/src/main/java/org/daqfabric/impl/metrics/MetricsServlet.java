package org.daqfabric.impl.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Answers scrapes. */
final class MetricsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient PrometheusTextFormatWriter writer =
        PrometheusTextFormatWriter.builder().setIncludeCreatedTimestamps(false).build();
    private final transient Supplier<MetricSnapshots> metrics;

    MetricsServlet(Supplier<MetricSnapshots> metrics) {
        this.metrics = metrics;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!"/".equals(request.getPathInfo())) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND, "The metrics are at /metrics/");
            return;
        }
        // written completely before the first byte is sent, so that a failure gives an error and not half an answer
        ByteArrayOutputStream text = new ByteArrayOutputStream(1 << 16);
        writer.write(text, metrics.get());
        response.setContentType(PrometheusTextFormatWriter.CONTENT_TYPE);
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(text.size());
        text.writeTo(response.getOutputStream());
    }
}
