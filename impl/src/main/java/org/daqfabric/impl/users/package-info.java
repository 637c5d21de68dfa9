/**
 * Members of a cluster share their users. OpenDaylight's AAA keeps users, their roles and the salted hashes of their
 * passwords in a database of each member's own; what changes in one of them is changed in all others within seconds, or
 * when they are back.
 *
 * <p>{@code LocalUsers} reads and writes that database as rows; {@code Ledger} is the pure rule: which row, or which
 * deletion, is the newest of all members. {@code SharedUsers} applies it to one member, whose {@code LedgerFile}
 * survives a restart; {@code UserSharing} has the members tell each other their ledgers.
 *
 * <p>They do so in messages of Pekko, between members alone, and not by the datastore: what is in there could be read
 * over RESTCONF, and could be neither read nor written by a member without a majority, which lets its users in all the
 * same. Members need no majority here, because of two ledgers each row that is newer counts, in whatever order they are
 * told.
 */
package org.daqfabric.impl.users;
