/**
 * The commands {@code daqfabric:*} of the Karaf shell, and nothing else: Karaf scans this package for commands and
 * completers.
 *
 * <p>In: arguments, checked against the configuration by {@code NameLookup}, which also feeds the completers. A command
 * asks {@link org.daqfabric.api.FabricService} and knows nothing else of the controller. Out: a {@code View}, a
 * record whose text is a {@code Table} or lines of at most 100 characters and whose components, by their names, are the
 * JSON of {@code --json}: renaming a component changes the contract. {@code docs/shell.md} describes the commands.
 */
package org.daqfabric.impl.cli;
