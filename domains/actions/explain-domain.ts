import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { ExplanationView } from "../../lib/management/domain-view.ts";
import { parseHostname } from "../model/hostname.ts";
import type { DomainsContext } from "./context.ts";
import { notADomain } from "./refusals.ts";

/** Everything that a name would come up against, before it is anybody's and before any record is changed. */
export async function explainDomain(
  { rules, explore }: Pick<DomainsContext, "rules" | "explore">,
  typed: string,
  signal: AbortSignal,
): Promise<Result<ExplanationView, Problem>> {
  const parsed = parseHostname(typed, rules);
  if (!parsed.ok) return refused(notADomain(parsed.failure));
  const { hostname, unicode, lookAlike = null } = parsed.value;
  const { apex, provider = null, findings, records } = await explore(parsed.value, signal);
  const blocking = findings.filter(({ severity }) => severity === "blocking").length;
  const headline =
    blocking === 0
      ? `Nothing stands in the way of ${unicode}.`
      : `${blocking === 1 ? "One thing stands" : `${blocking} things stand`} in the way of ${unicode}.`;
  return done({
    domain: hostname,
    unicode,
    apex,
    lookAlike,
    headline,
    provider,
    findings,
    records,
  });
}
