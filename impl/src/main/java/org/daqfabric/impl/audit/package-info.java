/**
 * Who changed or asked what, from where, when, with which result: one line of JSON for each request over HTTP and each
 * command of the shell. {@code AuditFilter} sees every request of every site before the login and its answer, and
 * {@code UserFilter} after the login, where the user is known; {@code RestconfAudit} sees those of OpenDaylight's
 * second RESTCONF server, which has no filters; {@code ShellAudit} is told of commands by Karaf.
 * Jetty's own log of requests does not know the users, whom Shiro keeps to itself, and Karaf's audit log does not
 * escape line ends and is not kept by age. Where the lines go and how long they are kept is a setting of the log
 * ({@code audit-log.cfg}).
 */
package org.daqfabric.impl.audit;
