/**
 * The application: {@link org.daqfabric.impl.DaqFabric} is the component that reads {@code etc/org.daqfabric.cfg},
 * creates the parts below in order and closes them in reverse order; {@code ActiveController} is what runs only where
 * this controller is active, which is always the case outside a cluster.
 *
 * <p>Configuration flows in through {@code northbound} and becomes decisions and programs in {@code controller}, which
 * asks the pure functions of {@code engine}; {@code openflow} and {@code ovsdb} bring programs and bridges to the
 * switches and report their state back. {@code runcontrol} prepares runs; {@code service} is what other bundles,
 * {@code cli} and {@code web} may ask; {@code metrics} counts; {@code cluster} decides which controller is active;
 * {@code platform}, {@code peers}, {@code tls} and {@code async} support the others. The words are those of
 * docs/design.md.
 */
package org.daqfabric.impl;
