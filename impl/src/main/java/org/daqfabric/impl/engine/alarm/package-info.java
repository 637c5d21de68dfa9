/**
 * Which states of switches and links are alarms: the one place from which the doctor, the alarms and run control's
 * concerns take it. A part of {@link org.daqfabric.api.state.FabricState} flows in, the
 * {@link org.daqfabric.api.alarm.AlarmType}s of what is wrong with it flow out; all functions are pure.
 */
package org.daqfabric.impl.engine.alarm;
