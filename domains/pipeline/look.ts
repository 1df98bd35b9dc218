import type { Domain } from "../model/domain.ts";
import { driftStage } from "../model/drift-facts.ts";
import { isLookMissed, needsCheck, type LookCircumstances } from "../model/drift.ts";
import { isOwnHost } from "../model/own-host.ts";
import { check } from "./check.ts";
import type { PipelineContext } from "./context.ts";
import { save, type Work } from "./work.ts";

/** Looks whether a live name, due since `dueAt`, still leads here. Undefined as in `save`. */
export async function look(
  context: PipelineContext,
  work: Work,
  dueAt: number,
): Promise<Domain | undefined> {
  const { clock, driftBreaker, observe, log, mayEnd = () => true } = context;
  const { domain, signal } = work;
  const now = clock.now();
  if (isLookMissed(domain, now)) return save(context, work, { kind: "look_missed" });
  const result = (await context.look?.(domain, signal)) ?? "unseen";
  const own = isOwnHost(domain);
  // What was never seen to be right says nothing: an operator may have a DNS of their own.
  const found = own && result === "away" && domain.look?.foundAt === undefined ? "unseen" : result;
  const seen = found === "proxied" ? "unseen" : found === "partly" ? "away" : found;
  observe?.({ kind: "looked", seen });
  const isBad = seen === "away" || found === "proxied";
  const doubted = isBad || driftBreaker.isOpen ? await driftBreaker.examine(now) : false;
  // Some visitors of a name that is partly elsewhere still come here.
  const mayLeave = mayEnd() && !own && found !== "partly";
  const known: Omit<LookCircumstances, "seen"> = { now, doubted, mayLeave };
  const circumstances = { ...known, seen } as const;
  const proxied = found === "proxied";
  const checks = proxied || (!own && needsCheck(domain, circumstances));
  const after = checks
    ? await check(context, work, dueAt, {
        ...known,
        seen: found === "here" ? "here" : undefined,
        proxied,
      })
    : await save(context, work, { kind: "looked", ...circumstances });
  const begins = after !== undefined && driftStage(domain) !== driftStage(after);
  if (own && begins) {
    log.warn("a host of this service no longer has the DNS records that it had", {
      name: domain.name,
      fix: "correct its records: petstore doctor",
    });
  }
  return after;
}
