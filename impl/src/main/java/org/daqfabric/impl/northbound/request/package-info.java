/**
 * Requests to RESTCONF that cannot be carried out, and what they are answered. OpenDaylight answers a body that its
 * parser trips over, and a DELETE that the cohort refuses, by a 500 without a reason. {@code RequestFilter} reads such
 * a body before RESTCONF does, against the same model and by the same parsers ({@code JsonBody}, {@code XmlBody}), and
 * answers what is wrong, where, and what to write instead; of a refused DELETE it gives the cohort's reason
 * ({@code RefusedCommit}). What is not of our modules it leaves alone: it does not even read it ({@code Target}). An
 * exception are OpenDaylight's rpcs that make streams of events, which every user calls; {@code StreamFilter} bounds
 * what those leave behind ({@code Streams}), as {@code SizeFilter} does what bodies take ({@code BodyMemory}).
 * {@code SpaceFilter} refuses configuration, whosesoever module it is of, while the disk is almost full, but for
 * administrative states ({@code AdminStateBody}).
 */
package org.daqfabric.impl.northbound.request;
