import { SECOND_MS } from "../../lib/base/clock.ts";
import { randomBase62 } from "../../lib/base/id.ts";
import { createPrivateKeyPem } from "../acme/keys.ts";
import { TIMED_OUT } from "../dns/gate.ts";
import type { Domain } from "../model/domain.ts";
import { pollAt, type OpenOrder } from "../model/order-state.ts";
import { rehearsedParts, type RehearsedPart, type Rehearsal } from "../model/rehearsal.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import { applicationFor } from "./authority-account.ts";
import { subjectOf } from "./check.ts";
import type { PipelineContext } from "./context.ts";
import { takeStep } from "./order-steps.ts";
import { callsEndAt, inTime, LEASE_MS, tooSlow } from "./work.ts";

/** Time limit: a caller waits for the result, and proxies and the dashboard give up after a minute. */
export const REHEARSAL_MS: number = 50 * SECOND_MS;

/**
 * Performs a whole renewal at a CA, with an account and a key that are thrown away, and changes nothing that is served or
 * stored: only the challenge is answered for a while. Undefined: another process works on the domain, or an order for
 * the name is open.
 */
export async function rehearseRenewal(
  context: PipelineContext,
  domain: Domain,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<Rehearsal | undefined> {
  const { store, leases, actor, clock, random } = context;
  const lease = await leases.acquire(`domain:${domain.name}`, LEASE_MS);
  if (lease === undefined) return undefined;
  const now = clock.now();
  const order: OpenOrder = {
    id: `reh_${randomBase62(random, 12)}`,
    domainId: domain.id,
    name: domain.name,
    authority: authority.id,
    sealedKey: "",
    state: { step: "keyed" },
    openedAt: now,
    steppedAt: now,
    authorizationUrls: [],
    version: 1,
  };
  const under = () => ({ lease, ttlMs: LEASE_MS, now: clock.host.now() });
  // The challenge of an open order must not be replaced.
  if ((await store.orders.of(domain.name)) !== undefined) {
    await leases.release(lease);
    return undefined;
  }
  try {
    const passed: RehearsedPart[] = [];
    const until = Math.min(callsEndAt(context, { lease }), clock.host.now() + REHEARSAL_MS);
    const came = await inTime(context, { until, signal }, (limited) =>
      perform(context, { domain, order, authority, passed, under, signal: limited }),
    );
    return came === TIMED_OUT ? { passed, failure: failureAfter(passed, tooSlow) } : came;
  } finally {
    // Deletes the challenge; there is no such order.
    await store.commit([{ kind: "order.close", order }], actor, under());
    await leases.release(lease);
  }
}

interface Rehearsing {
  readonly domain: Domain;
  readonly order: OpenOrder;
  readonly authority: CertificateAuthority;
  /** Grows as parts succeed. */
  readonly passed: RehearsedPart[];
  readonly under: () => NonNullable<Parameters<PipelineContext["store"]["commit"]>[2]>;
  readonly signal: AbortSignal;
}

async function perform(
  context: PipelineContext,
  { domain, order, authority, passed, under, signal }: Rehearsing,
): Promise<Rehearsal> {
  const { store, actor, clock, verifier, challenges } = context;
  const fails = (problem: { readonly code: string; readonly message: string }): Rehearsal => ({
    passed: [...passed],
    failure: failureAfter(passed, problem),
  });

  const dueSince = clock.host.now();
  const report = await verifier({ ...subjectOf(domain, false), dueSince }, signal);
  if (report.state !== "verified") {
    const found = report.blocking.join(", ");
    const message = `The DNS check found ${found === "" ? "no answer" : found}.`;
    return fails({ code: report.blocking[0] ?? "dns_unreachable", message });
  }
  passed.push("dns");

  const key = await createPrivateKeyPem();
  const application = applicationFor(context, authority);
  const account = await authority.createAccount({ key, ...application }, signal);
  if (!account.ok) return fails(account.failure);
  passed.push("account");

  const privateKeyPem = await createPrivateKeyPem();
  let open = order;
  for (;;) {
    const taken = await takeStep(
      {
        ...{ authority, account: account.value, privateKeyPem, challenges, signal },
        now: clock.now(),
        ownNow: clock.host.now(),
        timeKnown: clock.aheadMs !== undefined,
        preferred: context.challengeMemory.preferredFor(domain),
        onProfileRefused: () => undefined,
        rehearse: context.rehearse,
      },
      open,
    );
    const now = clock.now();
    switch (taken.kind) {
      case "moved": {
        const { challenge, asked } = taken;
        if (challenge !== undefined) {
          const opened = await store.commit(
            [{ kind: "challenge.open", challenge }],
            actor,
            under(),
          );
          if (!opened.ok) return fails(tooSlow);
        }
        const part = PARTS[open.state.step];
        if (part !== undefined && !passed.includes(part)) passed.push(part);
        open = { ...open, ...taken.to, steppedAt: now };
        if (asked !== undefined) await clock.sleep(pollAt(now, now, asked.retryAt) - now, signal);
        continue;
      }
      case "waits":
        await clock.sleep(pollAt(open.steppedAt, now, taken.retryAt) - now, signal);
        continue;
      case "unproven": {
        const { fallback: _tried, finalizeUrl: _ended, expiresAt: _end, ...rest } = open;
        const failedBefore = open.challenge;
        if (failedBefore === undefined || open.failedBefore !== undefined) {
          return fails(taken.problem);
        }
        open = { ...rest, state: { step: "keyed" }, authorizationUrls: [], failedBefore };
        continue;
      }
      case "held":
        return fails({
          code: "certificate_unusable",
          message: "The certificate is not valid yet.",
        });
      case "failed":
        return fails(taken.problem);
      case "examined": {
        passed.push("certificate");
        const [{ notAfter }] = taken.chain.certificates;
        return { passed, notAfter, ...(open.challenge && { challenge: open.challenge }) };
      }
      default:
        return taken satisfies never;
    }
  }
}

/** The part that ends with each step. */
const PARTS: Readonly<Partial<Record<OpenOrder["state"]["step"], RehearsedPart>>> = {
  keyed: "order",
  ordered: "challenge",
  answered: "validation",
};

function failureAfter(
  passed: readonly RehearsedPart[],
  { code, message }: { readonly code: string; readonly message: string },
): NonNullable<Rehearsal["failure"]> {
  const part = rehearsedParts.find((one) => !passed.includes(one)) ?? "certificate";
  return { part, code, message };
}
