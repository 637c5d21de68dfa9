/**
 * The list of alarms. What the doctor finds flows in several times a second ({@code Diagnosis.alarms}), and the list
 * flows out to RESTCONF, notifications, metrics, the shell and the page. {@code AlarmList} is the list with all its
 * rules, as pure functions; {@code AlarmKeeper} has the time, the thread and the store.
 */
package org.daqfabric.impl.alarms;
