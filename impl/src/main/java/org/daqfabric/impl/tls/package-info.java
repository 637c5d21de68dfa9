/**
 * The controller's TLS key and certificates, read from the operator's PEM files.
 *
 * <p>In flow the paths that {@code etc/org.daqfabric.cfg} names ({@code TlsFiles}); out flow an {@code SSLContext} for
 * OVSDB, key stores for OpenDaylight's OpenFlow library, and expiry dates for the diagnosis. Files that cannot work are
 * refused with a {@code TlsException} that names the setting and the file and says what to change.
 *
 * <p>Words: an <em>identity</em> is the controller's key with its certificate chain and the CA certificates it trusts.
 */
package org.daqfabric.impl.tls;
