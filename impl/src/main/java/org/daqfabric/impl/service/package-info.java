/** The application as other bundles see it. */
package org.daqfabric.impl.service;
