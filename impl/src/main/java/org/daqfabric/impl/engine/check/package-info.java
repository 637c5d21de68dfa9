/**
 * Whether a fabric, as described, contradicts itself. Every rule that spans more than one node of the configuration
 * is here, so that a description that passes can be indexed, placed and compiled without further questions.
 */
package org.daqfabric.impl.engine.check;
