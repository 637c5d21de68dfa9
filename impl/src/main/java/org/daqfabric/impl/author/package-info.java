/**
 * Who writes the configuration. RESTCONF knows the user of a request, and the datastore does not: what is committed
 * there, on another thread and perhaps on another member of a cluster, has no user. So the user is written into the
 * configuration together with the change, in the same transaction, as an entry of list {@code write}
 * ({@link org.daqfabric.impl.author.WriteEntry}); whoever sees the change sees the entry as well, and a write without
 * one has no known user.
 *
 * <p>{@code AuthorFilter} sees every request to RESTCONF and keeps its {@link org.daqfabric.impl.author.Author} at the
 * thread for as long as that works on the request; {@code AuthoredDataBroker} is the data broker that RESTCONF is
 * configured to use, and adds the entry to transactions that are begun on such a thread and change a fabric. What is
 * {@code Reserved} for the controller it does not take at all. {@code
 * RestconfSettings} takes that configuration back when daqfabric is uninstalled.
 */
package org.daqfabric.impl.author;
