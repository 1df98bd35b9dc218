import type { DomainView } from "../../../../lib/management/domain-view.ts";

/** What lies between adding a domain and seeing the site there, in this order. */
export const stages = ["asked", "verified", "certified", "tried", "live"] as const;
export type Stage = (typeof stages)[number];

/** `stuck`: nothing goes on before somebody did something. */
export type StageState = "done" | "current" | "stuck" | "ahead";

export interface Step {
  readonly stage: Stage;
  readonly state: StageState;
}

/**
 * How far a domain has come. Undefined where it is on no way: it was removed, waits for plan, deploy or owner, or has
 * been served before.
 */
export function progressOf(
  domain: Pick<DomainView, "status" | "dns" | "certificate" | "claimUntil">,
): readonly Step[] | undefined {
  const reached = reachedBy(domain);
  if (reached === undefined) return undefined;
  const stuck = domain.status === "attention";
  return stages.map((stage, index) => ({ stage, state: stateAt(index - reached, stuck) }));
}

function stateAt(distance: number, stuck: boolean): StageState {
  if (distance < 0) return "done";
  if (distance > 0) return "ahead";
  return stuck ? "stuck" : "current";
}

/** How many stages are done. */
function reachedBy({
  status,
  dns,
  certificate,
  claimUntil,
}: Parameters<typeof progressOf>[0]): number | undefined {
  switch (status) {
    case "removed":
      return undefined;
    case "checking":
      return 0;
    case "awaiting_dns":
      return 1;
    case "verified":
      return 2;
    case "issuing":
      return certificate.state === "active" ? 3 : 2;
    case "live":
      return stages.length;
    case "attention": {
      const served = certificate.state === "active" || certificate.state === "expired";
      if (served || claimUntil !== null || dns.state === "unchecked") return undefined;
      return dns.state === "verified" ? 2 : 1;
    }
    default:
      return status satisfies never;
  }
}

/** It was verified before: looking at it again is called otherwise. */
export function wasVerified({
  dns,
  certificate,
}: Pick<DomainView, "dns" | "certificate">): boolean {
  return dns.state === "verified" || certificate.state !== "none";
}

/** Something changes by itself soon. */
export function isUnderWay({ status }: Pick<DomainView, "status">): boolean {
  return status !== "live" && status !== "removed" && status !== "attention";
}
