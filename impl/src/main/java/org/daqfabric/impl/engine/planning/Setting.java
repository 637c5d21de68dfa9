package org.daqfabric.impl.engine.planning;

import java.util.List;

/**
 * One property of a host.
 *
 * @param source the document it comes from
 * @param notWhen when not to use it
 * @param commands empty if the commands of another setting carry it
 */
public record Setting(String name, String value, String why, String source, String notWhen, List<String> commands) {
}
