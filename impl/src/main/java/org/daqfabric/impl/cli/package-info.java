/** The commands {@code daqfabric:*} of the Karaf shell, and nothing else: Karaf looks through this package for them. */
package org.daqfabric.impl.cli;
