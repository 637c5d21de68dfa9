/**
 * What Prometheus scrapes from {@code /metrics/}.
 *
 * <p>In: {@link org.daqfabric.impl.metrics.Metrics} is given every published state, the partitions of run control, and
 * counters that are not part of a state ({@code Recorder}); it stores them, one {@code FabricMetrics} per fabric,
 * without computing anything on an event loop. Out: {@code MetricsServlet} has them collected into {@code Samples} at
 * each scrape, by one {@code *Samples} class per subject, and writes the exposition format.
 *
 * <p>Words are those of Prometheus: a metric family ({@code Family}; {@code docs/metrics.md} lists them all), its
 * labels, samples. <em>Desired</em> is what a switch must hold, <em>realised</em> what it holds.
 */
package org.daqfabric.impl.metrics;
