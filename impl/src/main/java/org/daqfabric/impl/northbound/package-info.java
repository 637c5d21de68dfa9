/**
 * What operators and other programs see of the application: the configuration they write, checked and handed to the
 * controller, the state tree, and the store in which the controller keeps its decisions.
 */
package org.daqfabric.impl.northbound;
