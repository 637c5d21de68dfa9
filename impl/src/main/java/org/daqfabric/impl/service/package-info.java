/**
 * The application as other bundles, first the shell, use it: {@link org.daqfabric.api.FabricService}. Questions go to
 * the controller and this package waits for the answers; drain and undrain are writes to the configuration, which the
 * checks of {@code northbound} accept or refuse; a diagnosis collects its input here and is made in
 * {@code engine.doctor}. Failures become a {@link org.daqfabric.api.NotDoneException} whose message stands alone,
 * without the paths of RESTCONF.
 */
package org.daqfabric.impl.service;
