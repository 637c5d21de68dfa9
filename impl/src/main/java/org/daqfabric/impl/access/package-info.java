/**
 * Who may do what. A user has roles of OpenDaylight's AAA, which also checks the password; this package says what they
 * are for. {@link org.daqfabric.impl.access.UserRole} is what there is, and {@code RequiredRole} the table: the least
 * role for a request, of which {@code rpcs.txt} is the part for rpcs. {@code RoleFilter} asks it for every request to
 * OpenDaylight's web server, {@code RestconfRoles} for those to OpenDaylight's second RESTCONF server, which has no
 * filters. {@code JolokiaRoles} stands before Jolokia, which is not behind the filters either.
 * {@code LoginGuard} comes before all of the first server, Jolokia too: it refuses logins where {@code LoginLimits} has
 * counted too many wrong passwords, as {@code RestconfRoles} does at the second. {@code Logins} is what they all share.
 *
 * <p>Only users with a role of this package are limited: where daqfabric is installed into an OpenDaylight with users
 * and roles of its own, those may do what they could.
 */
package org.daqfabric.impl.access;
