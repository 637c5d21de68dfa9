/**
 * Sends the packets that prove paths: the threads and the frames around {@link org.daqfabric.impl.engine.proof}.
 */
package org.daqfabric.impl.proof;
