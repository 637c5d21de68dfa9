/**
 * From what a switch holds to what it must hold. {@code Diff} names the next messages of a stage, make before break;
 * {@code Overlaps} orders rules for prefixes among them; {@code Applied} says what a switch holds after messages;
 * {@code Comparison} reports differences to people. Pure functions of programs.
 */
package org.daqfabric.impl.engine.diff;
