/**
 * How many packets links lose, from what the switches at both ends have counted. Counters are read one switch after
 * another, so that each reading gives a lower and an upper bound of what was lost; as counters only grow, the bounds of
 * many readings together become narrower instead of adding up. Packets that vanish before a port has counted them are
 * found by what rules have sent to it. What hosts drop before their switch has it, their nodes count. The functions are
 * pure.
 */
package org.daqfabric.impl.engine.loss;
