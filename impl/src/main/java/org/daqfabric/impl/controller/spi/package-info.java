/**
 * Interfaces that the edges of the application implement or call: drivers for bridges (OVSDB) and rules (OpenFlow) with
 * their listeners, the store of decisions, the publisher of states, the recorder of metrics, and run control's view of
 * the fabrics. Listeners are called on the edges' threads. Listeners and drivers return at once; drivers answer by
 * completion stages. Nothing here depends on the rest of the controller.
 */
package org.daqfabric.impl.controller.spi;
