/** What would be, of a fabric that is as it is: the pure part of the rpcs plan, trace and what-fails. */
package org.daqfabric.impl.engine.whatif;
