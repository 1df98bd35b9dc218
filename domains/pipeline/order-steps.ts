import { keyFingerprint } from "../acme/keys.ts";
import { ownProblem, remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import type { ChallengeKind } from "../model/domain.ts";
import {
  CHALLENGE_MAX_MS,
  ORDER_MAX_MS,
  type OpenOrder,
  type PresentedProof,
} from "../model/order-state.ts";
import type { Authorization, Challenge, Order } from "../ports/authority.ts";
import { asked, failed, moved, restart, type StepTools, type StepResult } from "./step-result.ts";
import { createCsr } from "../acme/x509.ts";
import { examineCertificate } from "./activate.ts";

/** Creates an order at the CA. If this is repeated after a crash, the first order is left unused. */
async function createOrder(
  { authority, account, replaces, onProfileRefused, signal }: StepTools,
  { name }: OpenOrder,
): Promise<StepResult> {
  const names = [name] as const;
  const replacing = replaces === undefined ? {} : { replaces };
  let profiled = authority.profile === undefined ? {} : { profile: authority.profile };
  let made = await authority.newOrder(account, { names, ...profiled, ...replacing }, signal);
  if (!made.ok && made.failure.code === "profile_refused" && authority.profile !== undefined) {
    onProfileRefused(made.failure);
    profiled = {};
    made = await authority.newOrder(account, { names, ...replacing }, signal);
  }
  if (!made.ok && replaces !== undefined && isRefused(made.failure)) {
    made = await authority.newOrder(account, { names, ...profiled }, signal);
  }
  if (!made.ok) return failed(made.failure);
  const { status, url, authorizationUrls, finalizeUrl, expiresAt } = made.value;
  switch (status) {
    case "invalid":
      return failed(made.value.problem);
    case "processing":
    case "valid":
      // The CA returned an order that existed before: its certificate would be for another key.
      return restart("The order was finalized before.");
    case "pending":
      return moved({
        state: { step: "ordered", url },
        authorizationUrls,
        finalizeUrl,
        ...until(expiresAt),
      });
    case "ready":
      return moved({
        state: { step: "proven", url },
        authorizationUrls,
        finalizeUrl,
        ...until(expiresAt),
      });
  }
}

function until(expiresAt: number | undefined): Pick<OpenOrder, "expiresAt"> {
  return expiresAt === undefined ? {} : { expiresAt };
}

/** Returns the earlier one of two ends, each of which may be unknown. */
function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

/**
 * Whether the CA refused the request as such. CAs have at least five error types for a `replaces` that they reject.
 * A rate limit would apply without `replaces` as well.
 */
function isRefused({ status = 0 }: AuthorityProblem): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Prepares the proof of the first pending authorization; if none is pending, the order is proven. */
async function prepareProof(tools: StepTools, open: OpenOrder, url: string): Promise<StepResult> {
  const { authority, account, signal } = tools;
  for (const authorizationUrl of open.authorizationUrls) {
    const found = await authority.authorization(account, authorizationUrl, signal);
    if (!found.ok) return failed(found.failure);
    const authorization = found.value;
    if (isOver(authorization, tools, open)) return restart("The authorization has expired.");
    if (authorization.status === "valid") continue;
    if (authorization.status === "pending") return presentProof(tools, open, url, authorization);
    return endedResult(open, authorization);
  }
  return moved({ state: { step: "proven", url } });
}

async function presentProof(
  { authority, preferred, challenges, account, now, ownNow, signal }: StepTools,
  open: OpenOrder,
  url: string,
  authorization: Extract<Authorization, { readonly status: "pending" }>,
): Promise<StepResult> {
  const able = authorization.challenges.flatMap((challenge) => {
    const kind = challenges.find((one) => one === challenge.type);
    return kind === undefined ? [] : [{ ...challenge, kind }];
  });
  const offered = able.filter(
    ({ kind, status }) => kind !== open.failedBefore && status !== "invalid",
  );
  const chosen = offered.find(({ kind }) => kind === preferred) ?? offered[0];
  if (chosen === undefined) {
    const failure = able.find(({ problem }) => problem !== undefined)?.problem;
    if (failure === undefined) {
      return failed(ownProblem("wrong_answer", "The CA offers no way of proving that we have."));
    }
    // The CA would return it for the next order as well.
    await authority.deactivate(account, authorization.url, signal);
    return failed(failure);
  }
  const { kind, token, keyAuthorization, url: challengeUrl } = chosen;
  const other = offered.find((one) => one.kind !== kind);
  const accountKey = keyFingerprint(account.key);
  const proof: PresentedProof = { challengeUrl, token, keyAuthorization, accountKey };
  return {
    kind: "moved",
    to: {
      state: { step: "presented", url, authorizationUrl: authorization.url, proof },
      challenge: kind,
      ...(other === undefined ? {} : { fallback: other.kind }),
      ...until(earlier(open.expiresAt, authorization.expiresAt)),
    },
    challenge: {
      name: open.name,
      kind,
      token,
      keyAuthorization,
      // Another process may follow another clock.
      expiresAt: Math.max(now, ownNow) + CHALLENGE_MAX_MS,
    },
  };
}

interface ProofState {
  readonly url: string;
  readonly authorizationUrl: string;
  readonly proof?: PresentedProof;
}

/** Tells the CA to validate the challenge. */
export async function respondToChallenge(
  tools: StepTools,
  open: OpenOrder,
  { url, authorizationUrl, proof }: ProofState,
): Promise<StepResult> {
  const { authority, account, signal } = tools;
  // The key authorization depends on the account key, so the proof must be prepared again.
  if (open.challenge === undefined || proof?.accountKey !== keyFingerprint(account.key)) {
    return moved({ state: { step: "ordered", url } });
  }
  const response = await authority.respond(account, challengeOf(open.challenge, proof), signal);
  const answered = { state: { step: "answered", url, authorizationUrl } } as const;
  if (response.ok) return asked(answered, response.value.retryAt);
  if (remedyOf(response.failure.code) === "wait") return failed(response.failure);
  // Possibly refused because it was responded to before; the authorization shows that.
  const found = await authority.authorization(account, authorizationUrl, signal);
  if (!found.ok) return failed(found.failure);
  if (found.value.status === "valid") return moved(answered);
  return found.value.status === "pending"
    ? failed(response.failure)
    : endedResult(open, found.value);
}

function challengeOf(type: ChallengeKind, proof: PresentedProof): Challenge {
  const { challengeUrl: url, token, keyAuthorization } = proof;
  return { type, url, token, keyAuthorization, status: "pending" };
}

/** Asks whether the CA has validated the challenge. */
async function awaitProof(
  { authority, account, signal }: StepTools,
  open: OpenOrder,
  { url, authorizationUrl }: ProofState,
): Promise<StepResult> {
  const found = await authority.authorization(account, authorizationUrl, signal);
  if (!found.ok) return failed(found.failure);
  switch (found.value.status) {
    case "pending": {
      const { challenges, ...authorization } = found.value;
      const { problem } = challenges.find(({ type }) => type === open.challenge) ?? {};
      if (problem !== undefined) {
        return endedResult(open, { ...authorization, status: "invalid", problem });
      }
      return { kind: "waits", retryAt: authorization.retryAt };
    }
    case "valid": {
      const isOnly = open.authorizationUrls.length === 1;
      return moved({ state: { step: isOnly ? "proven" : "ordered", url } });
    }
    case "invalid":
    case "deactivated":
    case "expired":
    case "revoked":
      return endedResult(open, found.value);
  }
}

/** Problems that another challenge may avoid, as it uses another port or protocol. */
const CHALLENGE_SPECIFIC: readonly AuthorityProblem["code"][] = [
  "connection",
  "tls",
  "wrong_answer",
];

function endedResult(
  { fallback }: OpenOrder,
  authorization: Exclude<Authorization, { readonly status: "valid" | "pending" }>,
): StepResult {
  if (authorization.status !== "invalid") {
    return restart(`The authorization is ${authorization.status}.`);
  }
  const { problem } = authorization;
  return fallback !== undefined && CHALLENGE_SPECIFIC.includes(problem.code)
    ? { kind: "unproven", problem, fallback }
    : failed(problem);
}

/** Requests the certificate; `authority.finalize` recognizes a repeated request. */
async function finalize(tools: StepTools, open: OpenOrder, url: string): Promise<StepResult> {
  const { authority, account, privateKeyPem, signal } = tools;
  const { name, finalizeUrl } = open;
  if (finalizeUrl === undefined) return readOrder(tools, open, url);
  const csr = await createCsr([name], privateKeyPem);
  const finalized = await authority.finalize(account, { url, finalizeUrl }, csr, signal);
  if (!finalized.ok) {
    return finalized.failure.code === "order_not_ready"
      ? readOrder(tools, open, url)
      : failed(finalized.failure);
  }
  const { status, retryAt } = finalized.value;
  // The CA accepted the request; the next step polls the order.
  return status === "ready" || status === "processing"
    ? asked({ state: { step: "finalized", url } }, retryAt)
    : nextStep(finalized.value);
}

/** Reads an order that is not ready yet, or that was stored without its finalize URL. */
async function readOrder(
  { authority, account, signal }: StepTools,
  open: OpenOrder,
  url: string,
): Promise<StepResult> {
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  const { status, finalizeUrl } = order.value;
  return status === "ready" && open.finalizeUrl === undefined
    ? moved({ state: { step: "proven", url }, finalizeUrl })
    : nextStep(order.value);
}

/** Asks whether the certificate has been issued. */
async function awaitCertificate(
  { authority, account, signal }: StepTools,
  url: string,
): Promise<StepResult> {
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  const { value } = order;
  if (value.status === "processing") return { kind: "waits", retryAt: value.retryAt };
  return value.status === "ready" ? moved({ state: { step: "proven", url } }) : nextStep(value);
}

/** Returns the step after a proven order's current status. */
function nextStep(order: Order): StepResult {
  const { url, retryAt } = order;
  switch (order.status) {
    case "pending":
    case "ready":
      return { kind: "waits", retryAt };
    case "processing":
      return moved({ state: { step: "finalized", url } });
    case "valid": {
      const { certificateUrl } = order;
      return moved({ state: { step: "issued", url, certificateUrl } });
    }
    case "invalid":
      return failed(order.problem);
  }
}

async function download(
  { authority, account, signal }: StepTools,
  { url, certificateUrl }: { readonly url: string; readonly certificateUrl: string },
): Promise<StepResult> {
  const chain = await authority.download(account, certificateUrl, signal);
  if (!chain.ok) return failed(chain.failure);
  return moved({ state: { step: "downloaded", url, chainPem: chain.value } });
}

/** Examines the certificate before it is used. On any doubt, the current one stays in use. */
async function examineChain(
  { privateKeyPem, now, ownNow, timeKnown, rehearse, signal }: StepTools,
  { name }: OpenOrder,
  chainPem: string,
): Promise<StepResult> {
  const first = examineCertificate(chainPem, privateKeyPem, name, timeKnown ? [now, ownNow] : []);
  const { validFrom } = first.ok ? {} : first.failure;
  const earlyMs = validFrom === undefined ? 0 : validFrom - Math.max(now, ownNow);
  if (earlyMs > 0 && earlyMs <= ORDER_MAX_MS) return { kind: "held", until: now + earlyMs };
  // No CA dates certificates so far ahead: our clocks are behind.
  const examined = earlyMs > 0 ? examineCertificate(chainPem, privateKeyPem, name, []) : first;
  if (!examined.ok) return failed(ownProblem("certificate_unusable", examined.failure.message));
  const chain = examined.value;
  const fault = await rehearse(name, { chainPem: chain.pem, privateKeyPem }, signal);
  return fault === undefined
    ? { kind: "examined", chain, ...(earlyMs > 0 && { earlyMs }) }
    : failed(ownProblem("certificate_unusable", fault));
}

/** The steps that answer the CA. Later ones collect a certificate that may exist already. */
const ANSWERS: ReadonlySet<OpenOrder["state"]["step"]> = new Set([
  "ordered",
  "presented",
  "proven",
]);

/**
 * Reports whether the CA has discarded an order or an authorization, which is never answered then. An end before the
 * order began, or one that our clock cannot be compared with, says nothing.
 */
function isOver(
  { expiresAt }: Pick<OpenOrder, "expiresAt">,
  { now, timeKnown }: Pick<StepTools, "now" | "timeKnown">,
  { openedAt }: Pick<OpenOrder, "openedAt">,
): boolean {
  return timeKnown && expiresAt !== undefined && expiresAt > openedAt && now >= expiresAt;
}

/**
 * Performs an order's next step: at most one request that changes something at the CA, and the reads it depends on.
 * A step can be repeated if its result was lost.
 */
export async function takeStep(tools: StepTools, open: OpenOrder): Promise<StepResult> {
  const { state } = open;
  if (ANSWERS.has(state.step) && isOver(open, tools, open)) {
    return restart("The order has expired.");
  }
  switch (state.step) {
    case "keyed":
      return createOrder(tools, open);
    case "ordered":
      return prepareProof(tools, open, state.url);
    case "presented":
      return respondToChallenge(tools, open, state);
    case "answered":
      return awaitProof(tools, open, state);
    case "proven":
      return finalize(tools, open, state.url);
    case "finalized":
      return awaitCertificate(tools, state.url);
    case "issued":
      return download(tools, state);
    case "downloaded":
      return examineChain(tools, open, state.chainPem);
  }
}
