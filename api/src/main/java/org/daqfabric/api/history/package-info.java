/** The history of a fabric: versions of its configuration, and what differs between two of them. */
package org.daqfabric.api.history;
