import { SECOND_MS } from "../../lib/base/clock.ts";
import { system, type Actor } from "../../lib/model/actor.ts";
import { type Domain, isAllowed } from "../model/domain.ts";
import { applyOutcome } from "../model/apply-outcome.ts";
import { nextTask, wantedAt, type Task } from "../model/schedule.ts";
import type { News } from "../model/timeline.ts";
import { abandon } from "./abandon.ts";
import { check } from "./check.ts";
import { type PipelineContext, type PipelineOptions, createChallengeMemory } from "./context.ts";
import { createDriftBreaker } from "./drift-breaker.ts";
import { revoke } from "./revoke.ts";
import { askRenewalInfo } from "./renewal-info.ts";
import { holdBeforeCheck, order } from "./order.ts";
import { look } from "./look.ts";
import { createIssuerLog, issuersOf } from "./issuer.ts";
import { askedProbe } from "./pause.ts";
import { LEASE_MS, save, type Work } from "./work.ts";
import { rehearseRenewal } from "./rehearsal.ts";
import type { Rehearsal } from "../model/rehearsal.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { GateFacts } from "../ports/projects.ts";

/**
 * The result of `advance`. `did`: the last task. `idle`: no task was due. `busy`: another worker has the name.
 * `superseded`: the domain was changed concurrently, and nothing was saved.
 */
export type Advance =
  | { readonly kind: "did"; readonly task: Task["kind"] }
  | { readonly kind: "idle" | "busy" | "superseded" | "gone" };

/** Performs the tasks of domains, one at a time. */
export interface Pipeline {
  /**
   * Performs a domain's due tasks, at most `tasks`, one after another under one lease of its name, each based on the
   * domain's state at that time. Safe to call at any time from any number of processes. Rejects if the store fails, and
   * with the signal's reason. `tasks` defaults to 1.
   */
  advance(domainId: string, signal: AbortSignal, tasks?: number): Promise<Advance>;
  /** So many looks were bad that drift stands still for all names, as of the last bad look of this process. */
  readonly driftStandsStill: boolean;
  /** Whether tasks that take something away are performed now. False: the time is in doubt, and they wait. */
  mayEnd(): boolean;
  /**
   * Checks a domain's DNS on request and resolves with the domain, after at most `VERIFY_MS`; undefined if it is
   * unknown or removed. Concurrent callers share one check, and the first caller's signal and actor, even if it
   * continues in the background.
   */
  verify(domainId: string, actor: Actor, signal: AbortSignal): Promise<Domain | undefined>;
  /** Ends waits that were caused by a wrong clock or by former CA options. */
  review(domain: Domain): Promise<void>;
  /** Writes a domain again as it is. */
  rewrite(domainId: string): Promise<void>;
  /** Checks whether the project may still have the domain, and saves changes. */
  checkGates(domainId: string): Promise<void>;
  /** Marks a certificate of the domain that this process cannot present, and has it replaced. */
  reportUnservable(domainId: string, certificateId: string, message: string): Promise<void>;
  /** Performs a whole renewal at a CA without an effect. Undefined: the domain is being worked on. */
  rehearse(
    domain: Domain,
    authority: CertificateAuthority,
    signal: AbortSignal,
  ): Promise<Rehearsal | undefined>;
}

/** Longest time that a user waits for a check. */
export const VERIFY_MS: number = 10 * SECOND_MS;

const POLL_MS = 100;

export function createPipeline(options: PipelineOptions): Pipeline {
  const context: PipelineContext = {
    ...options,
    actor: system,
    challengeMemory: createChallengeMemory(),
    issuerLog: createIssuerLog(options),
    orderQueues: new Map(),
    driftBreaker: createDriftBreaker(options.store, options.log),
  };
  const { store, leases, gatekeeper, clock, onSaved, mayEnd = () => true } = context;
  const verifying = new Map<string, Promise<Domain | undefined>>();

  const advance = async (
    domainId: string,
    signal: AbortSignal,
    { tasks = 1, actor = system }: { readonly tasks?: number; readonly actor?: Actor } = {},
  ): Promise<Advance> => {
    const seen = await store.domains.byId(domainId);
    if (seen === undefined) return { kind: "gone" };
    if (!isDue(seen, clock.now(), mayEnd())) return { kind: "idle" };
    const lease = await leases.acquire(`domain:${seen.name}`, LEASE_MS);
    if (lease === undefined) return { kind: "busy" };
    try {
      let advanced: Advance = { kind: "idle" };
      for (let done = 0; done < tasks && !signal.aborted; done++) {
        // Read again under the lease: the previous worker may have done the task.
        const domain = await store.domains.byId(domainId);
        if (domain === undefined) return { kind: "gone" };
        const now = clock.now();
        const task = nextTask(domain, now, mayEnd());
        if (task === undefined || task.at > now) break;
        const came = await perform({ ...context, actor }, { domain, lease, signal }, task);
        if (came !== "did") return { kind: came };
        advanced = { kind: came, task: task.kind };
      }
      return advanced;
    } finally {
      await leases.release(lease);
    }
  };

  /** Saves without a lease, because a user decided it. False if the domain was changed concurrently. */
  const saveUnleased = async (
    change: {
      readonly from: Domain;
      readonly to: Domain;
      readonly news: readonly News[];
      readonly at: number;
    },
    actor: Actor = system,
    also: readonly DomainChange[] = [],
  ): Promise<boolean> => {
    const { from, to } = change;
    const written = await store.commit([{ kind: "domain.save", ...change }, ...also], actor);
    if (written.ok) onSaved({ ...to, version: from.version + 1 });
    return written.ok;
  };

  /** Restarts the check schedule and updates the gates. */
  const requestCheck = async (domainId: string, actor: Actor): Promise<Domain | undefined> => {
    for (;;) {
      const from = await store.domains.byId(domainId);
      if (from === undefined || from.removal !== undefined) return undefined;
      const facts = await gatekeeper.gates(from.projectId);
      const now = clock.now();
      const gated = applyOutcome(from, { kind: "gates", ...facts }, now);
      const { domain: to } = applyOutcome(gated.domain, { kind: "check_requested" }, now);
      // Whoever asks need not wait for the next probe of a CA that takes no orders.
      const also = wantedAt(to) <= now ? await askedProbe(context, to) : [];
      if (await saveUnleased({ from, to, news: gated.news, at: now }, actor, also)) return to;
    }
  };

  const runCheck = async (
    domainId: string,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<Domain | undefined> => {
    const asked = await requestCheck(domainId, actor);
    if (asked === undefined) return undefined;
    const until = clock.host.now() + VERIFY_MS;
    for (;;) {
      const { kind } = await advance(domainId, signal, { actor });
      const domain = await store.domains.byId(domainId);
      if (domain === undefined || domain.removal !== undefined) return undefined;
      const looked = (domain.dns.checkedAt ?? 0) >= asked.watch.since;
      if (looked || kind === "idle" || clock.host.now() >= until) return domain;
      if (kind === "busy") await clock.sleep(POLL_MS, signal);
    }
  };

  const shareCheck = (
    domainId: string,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<Domain | undefined> => {
    const going = verifying.get(domainId);
    if (going !== undefined) return going;
    const begun = runCheck(domainId, actor, signal).finally(() => {
      verifying.delete(domainId);
    });
    verifying.set(domainId, begun);
    return begun;
  };

  return {
    get driftStandsStill() {
      return context.driftBreaker.isOpen;
    },
    advance: (domainId, signal, tasks = 1) => advance(domainId, signal, { tasks }),
    mayEnd,
    review: async (domain) => {
      const [issuer, ...others] = issuersOf(context);
      for (let from: Domain | undefined = domain; from !== undefined;) {
        const now = clock.now();
        const timeKnown = clock.aheadMs !== undefined;
        const { domain: to, news } = applyOutcome(
          from,
          { kind: "reviewed", issuer, others, timeKnown, ownNow: clock.host.now() },
          now,
        );
        if (to === from || (await saveUnleased({ from, to, news, at: now }))) return;
        from = await store.domains.byId(domain.id);
      }
    },
    rewrite: async (domainId) => {
      for (;;) {
        const from = await store.domains.byId(domainId);
        const at = clock.now();
        if (from === undefined || (await saveUnleased({ from, to: from, news: [], at }))) return;
      }
    },
    checkGates: async (domainId) => {
      for (;;) {
        const from = await store.domains.byId(domainId);
        if (from === undefined || from.removal !== undefined) return;
        const facts = await gatekeeper.gates(from.projectId);
        if (sameGates(facts, from.gates)) return;
        const now = clock.now();
        const { domain: to, news } = applyOutcome(from, { kind: "gates", ...facts }, now);
        if (await saveUnleased({ from, to, news, at: now })) return;
      }
    },
    reportUnservable: async (domainId, certificateId, message) => {
      const outcome = { kind: "unservable", certificateId, message } as const;
      for (;;) {
        const from = await store.domains.byId(domainId);
        if (from === undefined) return;
        const now = clock.now();
        const { domain: to, news } = applyOutcome(from, outcome, now);
        if (to === from || (await saveUnleased({ from, to, news, at: now }))) return;
      }
    },
    rehearse: (domain, authority, signal) => rehearseRenewal(context, domain, authority, signal),
    verify: async (domainId, actor, signal) => {
      const inTime = new AbortController();
      const tooLate = clock.sleep(VERIFY_MS, inTime.signal).then(
        () => store.domains.byId(domainId),
        () => undefined,
      );
      try {
        return await Promise.race([shareCheck(domainId, actor, signal), tooLate]);
      } finally {
        inTime.abort();
      }
    },
  };
}

function isDue(domain: Domain, now: number, mayEnd: boolean): boolean {
  const task = nextTask(domain, now, mayEnd);
  return task !== undefined && task.at <= now;
}

async function perform(
  context: PipelineContext,
  work: Work,
  { kind, at }: Task,
): Promise<"did" | "busy" | "superseded"> {
  const { store } = context;
  const { domain, signal } = work;
  const came = (after: Domain | undefined | "busy"): "did" | "busy" | "superseded" => {
    if (after === "busy") return "busy";
    return after === undefined ? "superseded" : "did";
  };
  switch (kind) {
    case "check": {
      const held = await holdBeforeCheck(context, work);
      if (held !== "none") return came(held);
      // Otherwise the changed gates are saved, and another task may be due.
      return (await allowed(context, work)) ? came(await check(context, work, at)) : "did";
    }
    case "look":
      return (await allowed(context, work)) ? came(await look(context, work, at)) : "did";
    case "order":
      return (await allowed(context, work)) ? came(await order(context, work)) : "did";
    case "abandon":
      return came(await abandon(context, work));
    case "prove": {
      const answered = await context.probe(domain.name, signal, context.clock.now());
      return came(await save(context, work, { kind: "probed", answered }));
    }
    case "outside_check": {
      const { addresses = [] } = domain.outside ?? {};
      const asked = { name: domain.name, addresses, proxied: false };
      const view = (await context.outside?.(asked, signal)) ?? { kind: "unlooked" };
      return came(await save(context, work, { kind: "outside_checked", view }));
    }
    case "revoke":
      return came(await revoke(context, work));
    case "renewal_info":
      return came(await askRenewalInfo(context, work));
    case "gates":
      return came(await lookAtGates(context, work));
    case "stop":
      return came(await save(context, work, { kind: "stopped" }));
    case "warn": {
      const warned = await save(context, work, { kind: "warned" });
      if (warned !== undefined) context.onWarned?.(warned);
      return came(warned);
    }
    case "expire":
      return came(await save(context, work, { kind: "removed", reason: "expired" }));
    case "forget": {
      const forgotten = await store.commit([{ kind: "domain.forget", domain }], context.actor);
      return forgotten.ok ? "did" : "superseded";
    }
  }
}

/** Checks whether the project may still have the domain, and saves the result. Undefined as in `save`. */
async function lookAtGates(context: PipelineContext, work: Work): Promise<Domain | undefined> {
  const facts = await context.gatekeeper.gates(work.domain.projectId);
  return save(context, work, { kind: "gates", ...facts });
}

/**
 * Whether the project may currently verify and order. If the gates have changed, saves them and returns false, as
 * another task may be due.
 */
async function allowed(context: PipelineContext, work: Work): Promise<boolean> {
  const { gates, projectId } = work.domain;
  const facts = await context.gatekeeper.gates(projectId);
  if (sameGates(facts, gates)) return isAllowed(gates);
  await save(context, work, { kind: "gates", ...facts });
  return false;
}

function sameGates(some: GateFacts, others: GateFacts): boolean {
  return (
    some.plan === others.plan &&
    some.deploy === others.deploy &&
    some.project === others.project &&
    some.suspended === others.suspended &&
    some.deletedAt === others.deletedAt
  );
}
