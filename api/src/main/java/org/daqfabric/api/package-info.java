/**
 * The domain of DaqFabric in plain Java. This package holds the service that other bundles call, {@link
 * org.daqfabric.api.FabricService}; the packages below hold the records that pass through the controller, in the order
 * of its data flow: {@code spec}, {@code placement}, {@code program}, {@code state}. They know neither OpenDaylight nor
 * threads nor clocks. Records are immutable, collections in them are in a fixed order, and none carries null: what may
 * be missing is an {@link java.util.Optional}, an empty text or an empty collection.
 *
 * <p>The words are those of docs/design.md, section "Glossary".
 */
package org.daqfabric.api;
