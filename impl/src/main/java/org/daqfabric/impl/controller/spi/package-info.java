/**
 * What the edges of the application implement or call: drivers for bridges (OVSDB) and rules (OpenFlow) with their
 * listeners, the store of decisions, the publisher of states, the recorder of metrics, and run control's view of the
 * fabrics. Listeners are called on the edges' threads and return at once; so do all drivers, whose answers come as
 * completion stages. Nothing here knows the rest of the controller.
 */
package org.daqfabric.impl.controller.spi;
