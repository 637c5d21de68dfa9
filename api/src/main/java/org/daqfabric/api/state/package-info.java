/**
 * A fabric as it runs: its state, published after every change ({@link org.daqfabric.api.state.FabricState}), the
 * result of reading switches back ({@link org.daqfabric.api.state.Verification}), and advice on what keeps a fabric
 * from working. Flows out of the controller only: to RESTCONF, the shell, the page, metrics and run control.
 */
package org.daqfabric.api.state;
