import { randomBase62 } from "../../lib/base/id.ts";
import { MINUTE_MS } from "../../lib/base/clock.ts";
import { createPrivateKeyPem } from "../acme/keys.ts";
import { TIMED_OUT } from "../dns/gate.ts";
import { ownProblem, remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import { findingOfProblem, failureBy } from "../model/order-failure.ts";
import type { Domain } from "../model/domain.ts";
import { longestWaitMs, mayFailAgain } from "../model/backoff.ts";
import { lifeLeftMs } from "../model/renewal.ts";
import { doubtfulUntil } from "../model/renewal-due.ts";
import { isPreflight, nextTask } from "../model/schedule.ts";
import { isStepBack, mayTakeMs, pollAt, repeatedAt, type OpenOrder } from "../model/order-state.ts";
import type { Account, CertificateAuthority } from "../ports/authority.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import { accountWith } from "./authority-account.ts";
import { activate } from "./activate.ts";
import type { PipelineContext } from "./context.ts";
import {
  chooseAuthority,
  insteadInWords,
  issuerOf,
  otherIssuers,
  type ChosenAuthority,
} from "./issuer.ts";
import { renewalIdOf } from "./renewal-info.ts";
import { takeStep } from "./order-steps.ts";
import { afterFailure, afterOrder, holdOf, mayAsk, type Consequences, type Hold } from "./pause.ts";
import { failed, type StepTools, type StepResult } from "./step-result.ts";
import { callsEndAt, inTime, save, tooSlow, type Work } from "./work.ts";

/** Identifies the row that an order's private key is encrypted for. */
function orderIdentity(id: string): string {
  return `order ${id}`;
}

/**
 * Performs the next step of the domain's order, or starts one. Undefined as in `save`; `busy` while another process
 * creates the CA account, or another domain's order for the name is still open.
 */
export async function order(
  context: PipelineContext,
  work: Work,
): Promise<Domain | undefined | "busy"> {
  const open = await context.store.orders.of(work.domain.name);
  // The previous holder of the name has not closed its order yet.
  if (open !== undefined && open.domainId !== work.domain.id) return "busy";
  const chosen = await chosenFor(context, work, open);
  if (chosen === undefined) {
    const gone = ownProblem("order_gone", "The authority of the order is not configured any more.");
    const { authority: id = "" } = open ?? {};
    return end(context, work, { open, authority: { id } }, gone);
  }
  const { authority } = chosen;
  const at: OrderAt = { open, authority };
  const { clock } = context;
  const until = callsEndAt(context, work);
  if (until <= clock.host.now()) return "busy";
  const keyed = open === undefined || open.state.step === "keyed";
  // A CA that is paused is asked nothing, not even the time.
  const early = keyed ? await holdOf(context, work.domain, authority.id, open) : undefined;
  if (early !== undefined) return hold(context, work, at, early);
  const compared = await inTime(context, { ...work, until }, (signal) => clock.compare(signal));
  if (compared === TIMED_OUT) return stop(context, work, at, tooSlow);
  // The corrected time may show that it is too early.
  if (open === undefined && !isDue(work.domain, clock.now())) return work.domain;
  const { certificate } = work.domain;
  const doubtful =
    open === undefined && certificate !== undefined
      ? doubtfulUntil(certificate, clock.host.now())
      : undefined;
  if (doubtful !== undefined) {
    return save(context, work, { kind: "order_postponed", until: clock.fromHost(doubtful) });
  }
  if (keyed && !(await mayAsk(context, work.domain, authority.id))) return "busy";
  const account = await inTime(context, { ...work, until }, (signal) =>
    accountWith(context, authority, signal),
  );
  if (account === undefined) return "busy";
  if (account === TIMED_OUT) return stop(context, work, at, tooSlow);
  if (!account.ok) return stop(context, work, at, account.failure);
  if (open === undefined) return begin(context, work, chosen, account.value);
  if (open.account !== undefined && open.account !== account.value.url) {
    const gone = ownProblem("order_gone", "The order belongs to an account that was replaced.");
    return end(context, work, at, gone);
  }
  const parties = { authority, account: account.value };
  const step = () => proceed(context, { ...work, until }, open, parties);
  if (!keyed) return step();
  // New orders run one at a time, so that a rate limit is known before the next one.
  return inQueue(context, authority.id, async () => {
    if (work.signal.aborted || clock.host.now() >= until) return "busy";
    const late = await holdOf(context, work.domain, authority.id, open);
    if (late !== undefined) return hold(context, work, at, late);
    return (await mayAsk(context, work.domain, authority.id)) ? step() : "busy";
  });
}

/** Runs after all earlier calls with the same CA. */
function inQueue<Value>(
  { orderQueues }: PipelineContext,
  authority: string,
  run: () => Promise<Value>,
): Promise<Value> {
  const mine = (orderQueues.get(authority) ?? Promise.resolve()).then(run);
  const over = mine.catch(() => undefined);
  orderQueues.set(authority, over);
  return mine;
}

/**
 * Lets a domain wait that is due for an order while its CA is paused, so that its DNS is not checked in vain. Undefined as
 * in `save`; `none` if the order may start, or the check has another reason.
 */
export async function holdBeforeCheck(
  context: PipelineContext,
  work: Work,
): Promise<Domain | undefined | "none"> {
  if (!isPreflight(work.domain, context.clock.now())) return "none";
  const { authority } = await chooseAuthority(context, work.domain);
  const early = await holdOf(context, work.domain, authority.id);
  return early === undefined ? "none" : hold(context, work, { open: undefined, authority }, early);
}

async function hold(
  context: PipelineContext,
  work: Work,
  { open, authority }: OrderAt,
  held: Hold,
): Promise<Domain | undefined> {
  const changes: DomainChange[] = open === undefined ? [] : [{ kind: "order.close", order: open }];
  const issuer = issuerOf(context, authority);
  // Our own limit for a name holds at every CA.
  const others =
    held.cause === "name" ? [] : await otherIssuers(context, work.domain, authority.id);
  const outcome = { kind: "order_held", issuer, ...held, others } as const;
  return save(context, work, outcome, changes);
}

function isDue(domain: Domain, now: number): boolean {
  const task = nextTask(domain, now);
  return task !== undefined && task.at <= now;
}

/** Work with a deadline. */
type TimedWork = Work & { readonly until: number };

/** An order, open or about to be opened, and its CA. */
interface OrderAt<Open extends OpenOrder | undefined = OpenOrder | undefined> {
  readonly open: Open;
  readonly authority: Pick<CertificateAuthority, "id" | "application">;
}

/** Chooses the CA for a new order; an open one stays with its CA. Undefined: that is not configured any more. */
async function chosenFor(
  context: PipelineContext,
  { domain }: Work,
  open: OpenOrder | undefined,
): Promise<ChosenAuthority | undefined> {
  if (open === undefined) return chooseAuthority(context, domain);
  const authority = context.authorities.find(({ id }) => id === open.authority);
  return authority && { authority };
}

/** Stores a private key before contacting the CA, so that no certificate is left without its key. */
async function begin(
  context: PipelineContext,
  work: Work,
  chosen: ChosenAuthority,
  account: Account,
): Promise<Domain | undefined> {
  const { seal, random, clock } = context;
  const { authority, instead } = chosen;
  const id = `ord_${randomBase62(random, 12)}`;
  const now = clock.now();
  const opened: OpenOrder = {
    id,
    domainId: work.domain.id,
    name: work.domain.name,
    authority: authority.id,
    account: account.url,
    sealedKey: seal.close(await createPrivateKeyPem(), orderIdentity(id)),
    state: { step: "keyed" },
    openedAt: now,
    steppedAt: now,
    authorizationUrls: [],
    version: 1,
  };
  const words = instead === undefined ? {} : { instead: insteadInWords(authority.id, instead) };
  const begun = await save(context, work, { kind: "order_begun", resumeAt: now, ...words }, [
    { kind: "order.open", order: opened },
  ]);
  if (begun !== undefined) context.issuerLog.choice(chosen);
  return begun;
}

async function proceed(
  context: PipelineContext,
  work: TimedWork,
  open: OpenOrder,
  parties: Pick<StepTools, "authority" | "account">,
): Promise<Domain | undefined> {
  const privateKeyPem = context.seal.open(open.sealedKey, orderIdentity(open.id));
  const replaces =
    open.state.step === "keyed"
      ? await inTime(context, work, (signal) =>
          replacedBy(context, work.domain, parties.authority, signal),
        )
      : undefined;
  const taken = await inTime(context, work, (signal) =>
    takeStep(
      {
        ...parties,
        ...(typeof replaces === "string" ? { replaces } : {}),
        privateKeyPem,
        now: context.clock.now(),
        ownNow: context.clock.host.now(),
        timeKnown: context.clock.aheadMs !== undefined,
        preferred: context.challengeMemory.preferredFor(work.domain),
        challenges: context.challenges,
        onProfileRefused: ({ message }) => context.issuerLog.profile(parties.authority, message),
        rehearse: context.rehearse,
        signal,
      },
      open,
    ),
  );
  const result = taken === TIMED_OUT ? failed(tooSlow) : taken;
  const { authority } = parties;
  return settleStep(context, work, { open, authority }, result, privateKeyPem);
}

/** Returns the CA's id of the certificate to be replaced; undefined if it has expired. */
async function replacedBy(
  context: PipelineContext,
  { certificate }: Domain,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (certificate === undefined || context.clock.now() >= certificate.notAfter) return undefined;
  return renewalIdOf(context, certificate, authority, signal);
}

async function settleStep(
  context: PipelineContext,
  work: Work,
  at: OrderAt<OpenOrder>,
  taken: StepResult,
  privateKeyPem: string,
): Promise<Domain | undefined> {
  const { open } = at;
  const now = context.clock.now();
  switch (taken.kind) {
    case "moved": {
      const { challenge, asked } = taken;
      const { state: next = open.state } = taken.to;
      const back = isStepBack(open.state, next);
      const resumeAt = back
        ? repeatedAt(open, now)
        : asked === undefined
          ? now
          : pollAt(now, now, onOurClock(context, asked.retryAt));
      if (back && takesTooLong(context, work, open, resumeAt)) {
        return end(context, work, at, unfinished);
      }
      const changes: DomainChange[] = [
        { kind: "order.save", from: open, to: { ...open, ...taken.to, steppedAt: now } },
      ];
      if (open.state.step === "keyed") changes.push(...(await afterOrder(context, open.authority)));
      if (challenge !== undefined) changes.push({ kind: "challenge.open", challenge });
      return save(context, work, { kind: "order_moved", resumeAt }, changes);
    }
    case "unproven":
      return proveOtherwise(context, work, at, taken);
    case "waits":
      return wait(context, work, at, { retryAt: onOurClock(context, taken.retryAt) });
    case "held":
      return wait(context, work, at, { retryAt: taken.until, maxNamedMs: Infinity });
    case "examined": {
      const { chain, earlyMs = 0 } = taken;
      if (await context.store.keys.isBlocked(chain.certificates[0].publicKey)) {
        return end(context, work, at, ownProblem("order_gone", "The key was blocked meanwhile."));
      }
      if (open.challenge !== undefined) context.challengeMemory.worked(open.challenge);
      return activate(context, work, open, { chain, privateKeyPem, earlyMs });
    }
    case "failed":
      return stop(context, work, at, taken.problem);
  }
}

/**
 * Tries the other challenge at once. This requires a new order, because a failed authorization ends its order (RFC
 * 8555 §7.1.6); the key is reused, as the CA has not seen it. Closes the order if one more failure would exceed the
 * limit.
 */
async function proveOtherwise(
  context: PipelineContext,
  work: Work,
  at: OrderAt<OpenOrder>,
  { problem, fallback }: Extract<StepResult, { readonly kind: "unproven" }>,
): Promise<Domain | undefined> {
  const now = context.clock.now();
  const { open } = at;
  const { challenge: failedBefore = work.domain.issuance.challenge } = open;
  if (!mayFailAgain(work.domain.issuance.failedAt, now)) return end(context, work, at, problem);
  const { fallback: _tried, finalizeUrl: _ended, expiresAt: _end, ...rest } = open;
  const to: OpenOrder = {
    ...rest,
    state: { step: "keyed" },
    steppedAt: now,
    authorizationUrls: [],
    challenge: fallback,
    failedBefore,
  };
  const { message } = problem;
  const outcome = { kind: "unproven", failedBefore, fallback, message, resumeAt: now } as const;
  return save(context, work, outcome, [{ kind: "order.save", from: open, to }]);
}

/** The longest wait of an open order for a CA that asks for fewer requests. */
const MAX_BUSY_MS: number = 10 * MINUTE_MS;

/** With these, a CA asks for fewer requests. */
const BUSY: readonly (number | undefined)[] = [429, 503];

/** Closes the order, unless the CA has it and is only temporarily unavailable. */
function stop(
  context: PipelineContext,
  work: Work,
  at: OrderAt,
  problem: AuthorityProblem,
): Promise<Domain | undefined> {
  const { open, authority } = at;
  if (open === undefined || open.state.step === "keyed" || remedyOf(problem.code) !== "wait") {
    return end(context, work, at, problem);
  }
  const retryAt = onOurClock(context, problem.retryAt);
  const longestMs = longestWaitMs(work.domain.certificate, context.clock.now());
  const busy = BUSY.includes(problem.status)
    ? { maxNamedMs: Math.min(MAX_BUSY_MS, longestMs) }
    : {};
  return wait(context, work, { open, authority }, { retryAt, problem, ...busy });
}

/** Converts an instant from the host's clock, which the CA adapters use. */
function onOurClock({ clock }: PipelineContext, at: number | undefined): number | undefined {
  return at === undefined ? undefined : clock.fromHost(at);
}

async function wait(
  context: PipelineContext,
  work: Work,
  at: OrderAt<OpenOrder>,
  {
    retryAt,
    maxNamedMs,
    problem = unfinished,
  }: {
    readonly retryAt: number | undefined;
    /** Default: as in `pollAt`. */
    readonly maxNamedMs?: number;
    readonly problem?: AuthorityProblem;
  },
): Promise<Domain | undefined> {
  const { open } = at;
  const resumeAt = pollAt(open.steppedAt, context.clock.now(), retryAt, maxNamedMs);
  return takesTooLong(context, work, open, resumeAt)
    ? end(context, work, at, problem)
    : save(context, work, { kind: "order_moved", resumeAt });
}

const unfinished: AuthorityProblem = ownProblem("unavailable", "The CA did not finish in time.");

/** Reports whether an order that goes on at `resumeAt` is given up. */
function takesTooLong(
  { clock }: PipelineContext,
  { domain: { certificate } }: Work,
  open: OpenOrder,
  resumeAt: number,
): boolean {
  const leftMs = certificate && lifeLeftMs(certificate, clock.now());
  return resumeAt > open.openedAt + mayTakeMs(open, leftMs);
}

/** Returns what the operator has to do; the log is where failures of the operator's own hosts appear. */
function fixOf(open: OpenOrder | undefined, problem: AuthorityProblem): string {
  return findingOfProblem(open?.authority ?? "The certificate authority", problem).fix;
}

/** Closes the order because of `problem`. */
async function end(
  context: PipelineContext,
  work: Work,
  at: OrderAt,
  problem: AuthorityProblem,
): Promise<Domain | undefined> {
  const { log } = context;
  const { domain } = work;
  const { open } = at;
  const issuer = issuerOf(context, at.authority);
  const { retryAt: hostRetryAt, ...rest } = problem;
  const onOurs = onOurClock(context, hostRetryAt);
  const translated = onOurs === undefined ? rest : { ...rest, retryAt: onOurs };
  const isNew = open === undefined || open.state.step === "keyed" || problem.status === 429;
  const {
    changes: consequences,
    hold: held,
    ofAll = false,
  }: Consequences = isNew
    ? await afterFailure(context, domain, issuer.authority, translated)
    : { changes: [] };
  const changes = [...(await closing(context, at, problem)), ...consequences];
  // What the owner has to resolve would fail at every CA.
  const others =
    remedyOf(problem.code) === "owner" ? [] : await otherIssuers(context, domain, issuer.authority);
  if (held !== undefined) {
    return save(context, work, { kind: "order_held", issuer, ...held, others }, changes);
  }
  const { name } = domain;
  const { code, message, helpUrl } = problem;
  const fix = remedyOf(code) === "operator" ? { message, fix: fixOf(open, problem) } : {};
  // Owners do not read these.
  const forOperator = problem.operatorOnly === true || helpUrl !== undefined ? { message } : {};
  const help = helpUrl === undefined ? forOperator : { ...forOperator, open: helpUrl };
  log.warn("an order for a certificate failed", { name, code, ...fix, ...help });
  const { authority = "", authorizationUrls: urls = [] } = open ?? {};
  const granted = urls.length === 0 ? {} : { granted: { authority, urls } };
  const outcome = { ...failureBy(translated), issuer, ofAll, others, ...granted };
  return save(context, work, outcome, changes);
}

/** Returns the changes that an order's end makes, whatever becomes of the domain. */
async function closing(
  context: PipelineContext,
  { open, authority: { id: authority } }: OrderAt,
  { code, helpUrl }: AuthorityProblem,
): Promise<readonly DomainChange[]> {
  const changes: DomainChange[] = open === undefined ? [] : [{ kind: "order.close", order: open }];
  const account = await context.store.accounts.of(authority);
  // The account may have been replaced or its key may be changing: its new key must not be lost.
  const same =
    account?.nextSealedKey === undefined &&
    (open?.account === undefined || open.account === account?.url);
  if (remedyOf(code) === "renew_account" && account !== undefined && same) {
    changes.push({ kind: "account.forget", account });
  }
  if (helpUrl !== undefined) {
    changes.push({ kind: "authority.help", authority, url: helpUrl, at: context.clock.now() });
  }
  return changes;
}
