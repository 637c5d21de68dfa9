/** What daqfabric serves on the controller's own web server besides RESTCONF, behind the same login. */
package org.daqfabric.impl.web;
