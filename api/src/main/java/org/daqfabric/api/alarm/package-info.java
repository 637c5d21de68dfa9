/**
 * Alarms with the semantics of RFC 8632: states of resources that need somebody's attention, from when they are raised
 * until they are cleared, with what operators did about them. An {@link org.daqfabric.api.alarm.AlarmCondition} is what
 * is wrong at a moment; an {@link org.daqfabric.api.alarm.Alarm} is its record over time.
 */
package org.daqfabric.api.alarm;
