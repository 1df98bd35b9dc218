import { DAY_MS, isoTime, MINUTE_MS } from "../../lib/base/clock.ts";
import type { AuthorityProblem } from "../model/acme-problem.ts";
import { firstOrderAt } from "../model/apply-order.ts";
import {
  causeOf,
  looksAgainAt,
  mayOrder,
  messageOf,
  probeableAt,
  PROBE_EVERY_MS,
  type AuthorityPause,
  type OrderPermission,
} from "../model/authority-pause.ts";
import { pausesAuthority } from "../model/backoff.ts";
import type { Domain } from "../model/domain.ts";
import type { OutcomeOf } from "../model/domain-outcome.ts";
import type { OpenOrder } from "../model/order-state.ts";
import { fraction } from "../model/renewal.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { PipelineContext } from "./context.ts";
import { chooseAuthority } from "./issuer.ts";

/** Why a new order must wait, although nothing is wrong with the name. */
export type Hold = Omit<OutcomeOf<"order_held">, "kind" | "issuer">;

/** Most domains with one name that are examined. */
const MAX_HOLDERS = 100;

/** Returns why a new order with a CA must wait; undefined if it may start. */
export async function holdOf(
  context: PipelineContext,
  domain: Domain,
  authority: string,
  open?: OpenOrder,
): Promise<Hold | undefined> {
  const { store, clock } = context;
  const now = clock.now();
  const permission = mayOrder(await store.pauses.of(authority), domain, now);
  if (permission.kind === "wait") return holdBy(context, domain, permission);
  if (open !== undefined || domain.certificate !== undefined) return undefined;
  const named = await store.domains.named(domain.name, MAX_HOLDERS);
  const until = firstOrderAt(domain, named, now);
  const message = "Too many projects had a certificate for this name within a day.";
  return until <= now ? undefined : { until, lookAt: until, message, cause: "name" };
}

function holdBy(
  { clock, random }: Pick<PipelineContext, "clock" | "random">,
  { certificate }: Domain,
  permission: Extract<OrderPermission, { readonly kind: "wait" }>,
  probed = false,
): Hold {
  const { cause, until, pause } = permission;
  const message = messageOf(pause, cause);
  const at = { certificate, probed, spread: fraction(random) };
  const lookAt = looksAgainAt(permission, at, clock.now());
  return { until, lookAt, message, cause, ...(probed && { probed }) };
}

/**
 * Reports whether a CA may be asked for a domain now. While it is paused, the store lets one order of all processes pass
 * at a time: the first that asks when a probe is due.
 */
export async function mayAsk(
  { store, actor, clock }: PipelineContext,
  domain: Domain,
  authority: string,
): Promise<boolean> {
  const now = clock.now();
  const permission = mayOrder(await store.pauses.of(authority), domain, now);
  if (permission.kind !== "probe") return permission.kind === "open";
  const { pause } = permission;
  const probe = { kind: "authority.probe", pause, domainId: domain.id, at: now } as const;
  return (await store.commit([probe], actor)).ok;
}

/**
 * Returns the change that lets a domain's next order pass a pause, because a person asks for it; none if nothing is
 * paused, or if another order was sent within a minute.
 */
export async function askedProbe(
  context: Pick<PipelineContext, "store" | "authorities" | "clock">,
  domain: Domain,
): Promise<readonly DomainChange[]> {
  const { store, clock } = context;
  const now = clock.now();
  if (domain.issuance.order !== undefined) return [];
  const { authority } = await chooseAuthority(context, domain);
  const pause = await store.pauses.of(authority.id);
  const open = mayOrder(pause, domain, now).kind === "open";
  return pause === undefined || open || probeableAt(pause, now) > now
    ? []
    : [{ kind: "authority.probe", pause, domainId: domain.id, at: now }];
}

/** Length of a pause when the CA names none that can be read: a proxy's 429, for example. */
const PAUSE_MS: number = 5 * MINUTE_MS;
/** The longest pause, whatever a CA says. */
const MAX_PAUSE_MS: number = 30 * DAY_MS;

/** What a CA's answer to a new order, or none, means for the orders of all names. */
export interface Consequences {
  readonly changes: readonly DomainChange[];
  /** The order was a probe, and failed: that says nothing about its name, which waits. */
  readonly hold?: Hold;
  /** The CA limits the orders of all names. */
  readonly ofAll?: boolean;
}

/** Returns the consequences of a failed request for a new order, or for what it needs, on our clock. */
export async function afterFailure(
  context: PipelineContext,
  domain: Domain,
  authority: string,
  { retryAt, ...problem }: AuthorityProblem,
): Promise<Consequences> {
  const { store, clock } = context;
  const now = clock.now();
  const before = await store.pauses.of(authority);
  const { message } = problem;
  const limited = pausesAuthority(problem, domain.name);
  if (!limited && problem.code !== "unavailable") {
    return { changes: answered(before, { ordered: false, now }) };
  }
  const asked = Math.min(retryAt ?? now + PAUSE_MS, now + MAX_PAUSE_MS);
  const pause = { authority, until: Math.max(asked, now + PROBE_EVERY_MS), message, probedAt: now };
  const change: DomainChange = limited
    ? { kind: "authority.pause", pause }
    : { kind: "authority.failed", authority, message, at: now };
  const { until = 0, failures = 0 } = before ?? {};
  const after: AuthorityPause = limited
    ? { ...pause, until: Math.max(until, pause.until), failures }
    : { authority, until, message, probedAt: now, failures: failures + 1 };
  report(context, { before, after }, now);
  if (causeOf(before, now) === undefined) return { changes: [change], ofAll: limited };
  const permission = mayOrder(after, domain, now);
  return permission.kind === "wait"
    ? { changes: [change], hold: holdBy(context, domain, permission, true) }
    : { changes: [change], ofAll: limited };
}

/** Logs when a CA takes no orders any more, once for all names. */
function report(
  { log }: Pick<PipelineContext, "log">,
  {
    before,
    after,
  }: { readonly before: AuthorityPause | undefined; readonly after: AuthorityPause },
  now: number,
): void {
  const cause = causeOf(after, now);
  if (cause === undefined || cause === causeOf(before, now)) return;
  const { authority: ca, message, until } = after;
  if (cause === "limited") {
    const what = "the CA takes no new orders from us for now; one order at a time tries it";
    log.warn(what, { ca, message, until: isoTime(until) });
  } else {
    log.warn("the CA does not answer; one order a minute tries it", { ca, message });
  }
}

/** Returns the consequences of an order that a CA has taken: whatever paused orders is over. */
export async function afterOrder(
  { store, clock, log }: PipelineContext,
  authority: string,
): Promise<readonly DomainChange[]> {
  const now = clock.now();
  const before = await store.pauses.of(authority);
  if (causeOf(before, now) !== undefined) log.info("the CA takes orders again", { ca: authority });
  return answered(before, { ordered: true, now });
}

function answered(
  pause: AuthorityPause | undefined,
  { ordered, now }: { readonly ordered: boolean; readonly now: number },
): readonly DomainChange[] {
  if (pause === undefined) return [];
  const { authority, failures = 0, until } = pause;
  const changes = failures > 0 || (ordered && until > now);
  return changes ? [{ kind: "authority.answered", authority, ordered, at: now }] : [];
}
