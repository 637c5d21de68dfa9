/**
 * What daqfabric serves on OpenDaylight's web server besides RESTCONF, behind the same login.
 *
 * <p>A {@code Site} is a context path with one servlet: {@code /daqfabric/} is the page, whose files are in the
 * bundle's folder {@code web} ({@code src/main/resources/web}) and which reads the fabric over RESTCONF like any other
 * client; {@code /metrics/} belongs to package {@code metrics}. Nothing of a fabric passes through this package.
 * {@code EventStreamFilter} marks event streams, of RESTCONF, too, for proxies on the way.
 */
package org.daqfabric.impl.web;
