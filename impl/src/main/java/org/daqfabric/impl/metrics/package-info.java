/**
 * What Prometheus scrapes from {@code /metrics}. {@link org.daqfabric.impl.metrics.Metrics} remembers what the event
 * loops tell, and makes samples of it when it is asked.
 */
package org.daqfabric.impl.metrics;
