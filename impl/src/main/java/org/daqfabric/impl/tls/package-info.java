/** The controller's certificate and key, and whom it trusts, from the operator's PEM files. */
package org.daqfabric.impl.tls;
