/**
 * What would happen to a fabric, without touching it: the pure part of the rpcs plan, trace and what-fails. A question
 * with names goes in ({@code WhatIfQuestion}); who would be cut off, what would change and what each single failure
 * would leave come out. {@code engine.rollout} adds what switches would be sent.
 */
package org.daqfabric.impl.engine.whatif;
