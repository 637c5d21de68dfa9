/** What would happen if: the questions an operator may ask of a fabric, and their answers. */
package org.daqfabric.api.plan;
