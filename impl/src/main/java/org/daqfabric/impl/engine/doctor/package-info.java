/** What keeps a fabric from working, and what to do about it: a pure function of what was gathered. */
package org.daqfabric.impl.engine.doctor;
