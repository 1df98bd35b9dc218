import { isAllowed, type Domain } from "../model/domain.ts";
import type { GateFacts } from "../ports/gatekeeper.ts";
import type { PipelineContext } from "./context.ts";
import { save, type Work } from "./work.ts";

/** Asks whether the project may still have the domain, and writes it down. Undefined as `save` says. */
export async function lookAtGates(
  context: PipelineContext,
  work: Work,
): Promise<Domain | undefined> {
  const facts = await context.gatekeeper.gates(work.domain.projectId);
  return save(context, work, { kind: "gates", ...facts });
}

/**
 * Whether the project may verify and order at this moment. What is seen differently from before is written down;
 * then false too, for something else may be due now.
 */
export async function allowed(context: PipelineContext, work: Work): Promise<boolean> {
  const { gates, projectId } = work.domain;
  const facts = await context.gatekeeper.gates(projectId);
  if (sameGates(facts, gates)) return isAllowed(gates);
  await save(context, work, { kind: "gates", ...facts });
  return false;
}

export function sameGates(some: GateFacts, others: GateFacts): boolean {
  return (
    some.plan === others.plan && some.deploy === others.deploy && some.project === others.project
  );
}
