/**
 * Questions of the operator that change nothing, and their answers: the effect of a change or of failures
 * ({@link org.daqfabric.api.plan.WhatIf}, {@link org.daqfabric.api.plan.Effect}), the path of packets
 * ({@link org.daqfabric.api.plan.TraceResult}), and what each single failure would leave
 * ({@link org.daqfabric.api.plan.Failures}).
 */
package org.daqfabric.api.plan;
