/**
 * From a placement to what switches must hold. {@code PortAllocator} and {@code Daqrings} complete a decision, {@code
 * BridgeCompiler} makes what OVSDB must hold, and {@code Compiler} makes programs: rules and groups, by one class per
 * kind of switch ({@code EdgeCompiler}, {@code LeafCompiler}, {@code SpineCompiler}).
 *
 * <p>The result depends on nothing but the arguments, yet {@code Compiler} is not a pure function: it has caches,
 * without which a repair would take as long as a start. {@code CompiledLeaf} is what the next compiler starts a leaf
 * from, {@code SharedEdgePrograms} what edge switches of one kind share, {@code RuleInterner} the rules and ids that
 * programs share; {@code ChangedSwitches} names the switches that need compiling at all. Programs that stay the same
 * are the same objects, so that later steps compare by identity.
 *
 * <p>Words: a <i>lane</i> is the one of several parallel links that an address uses; <i>local</i> addresses are behind
 * an edge switch itself, <i>remote</i> ones behind others; a packet is <i>turned back</i> by a spine that cannot
 * deliver it, and a <i>mark</i> in it names the spine to try next.
 */
package org.daqfabric.impl.engine.compile;
