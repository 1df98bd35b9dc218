import { keyFingerprint } from "../acme/keys.ts";
import { ownProblem, remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import type { ChallengeKind } from "../model/domain.ts";
import { CHALLENGE_MAX_MS, type OpenOrder, type PresentedProof } from "../model/order-state.ts";
import type { Authorization, Challenge, Order } from "../ports/authority.ts";
import { asked, failed, moved, restart, type StepTools, type Taken } from "./taken.ts";
import { createCsr } from "../acme/x509.ts";
import { examine } from "./activate.ts";

/** An order at the CA. Taken twice, it leaves one behind that nobody knows of. */
async function makeOrder(
  { authority, account, replaces, signal }: StepTools,
  { name }: OpenOrder,
): Promise<Taken> {
  const names = [name] as const;
  const wish = replaces === undefined ? { names } : { names, replaces };
  const first = await authority.newOrder(account, wish, signal);
  const made =
    !first.ok && replaces !== undefined && isRefused(first.failure)
      ? await authority.newOrder(account, { names }, signal)
      : first;
  if (!made.ok) return failed(made.failure);
  const { status, url, authorizationUrls, finalizeUrl } = made.value;
  switch (status) {
    case "invalid":
      return failed(made.value.problem);
    case "processing":
    case "valid":
      // An order that the CA knew before us: its certificate is made for another key.
      return restart("The order was finalized before.");
    case "pending":
      return moved({ state: { step: "ordered", url }, authorizationUrls, finalizeUrl });
    case "ready":
      return moved({ state: { step: "proven", url }, authorizationUrls, finalizeUrl });
  }
}

/**
 * The CA understood the request and refused it, in whatever words: CAs have at least five for a `replaces` that they do
 * not like. A limit that is spent stays spent without it.
 */
function isRefused({ status = 0 }: AuthorityProblem): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Presents the answer to the first authorization that is still to be proven; where there is none, the order is. */
async function choose(tools: StepTools, open: OpenOrder, url: string): Promise<Taken> {
  const { authority, account, signal } = tools;
  for (const authorizationUrl of open.authorizationUrls) {
    const found = await authority.authorization(account, authorizationUrl, signal);
    if (!found.ok) return failed(found.failure);
    const authorization = found.value;
    if (authorization.status === "valid") continue;
    if (authorization.status === "pending") return offer(tools, open, url, authorization);
    return overOf(open, authorization);
  }
  return moved({ state: { step: "proven", url } });
}

function offer(
  { preferred, challenges, account, now }: StepTools,
  open: OpenOrder,
  url: string,
  authorization: Extract<Authorization, { readonly status: "pending" }>,
): Taken {
  const offered = authorization.challenges.flatMap((challenge) => {
    const kind = challenges.find((able) => able === challenge.type);
    return kind === undefined || kind === open.failedBefore ? [] : [{ ...challenge, kind }];
  });
  const chosen = offered.find(({ kind }) => kind === preferred) ?? offered[0];
  if (chosen === undefined) {
    return failed(ownProblem("wrong_answer", "The CA offers no way of proving that we have."));
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
    },
    challenge: {
      name: open.name,
      kind,
      token,
      keyAuthorization,
      expiresAt: now + CHALLENGE_MAX_MS,
    },
  };
}

interface AtProof {
  readonly url: string;
  readonly authorizationUrl: string;
  readonly proof?: PresentedProof;
}

/** Tells the CA to look. */
export async function answer(
  tools: StepTools,
  open: OpenOrder,
  { url, authorizationUrl, proof }: AtProof,
): Promise<Taken> {
  const { authority, account, signal } = tools;
  // Another account key has another answer, which is not presented yet.
  if (open.challenge === undefined || proof?.accountKey !== keyFingerprint(account.key)) {
    return moved({ state: { step: "ordered", url } });
  }
  const told = await authority.respond(account, challengeOf(open.challenge, proof), signal);
  const answered = { state: { step: "answered", url, authorizationUrl } } as const;
  if (told.ok) return asked(answered, told.value.retryAt);
  if (remedyOf(told.failure.code) === "wait") return failed(told.failure);
  // Refused, perhaps because it was answered before: the authorization knows.
  const found = await authority.authorization(account, authorizationUrl, signal);
  if (!found.ok) return failed(found.failure);
  if (found.value.status === "valid") return moved(answered);
  return found.value.status === "pending" ? failed(told.failure) : overOf(open, found.value);
}

function challengeOf(type: ChallengeKind, proof: PresentedProof): Challenge {
  const { challengeUrl: url, token, keyAuthorization } = proof;
  return { type, url, token, keyAuthorization, status: "pending" };
}

/** Asks whether it has looked. */
async function awaitProof(
  { authority, account, signal }: StepTools,
  open: OpenOrder,
  { url, authorizationUrl }: AtProof,
): Promise<Taken> {
  const found = await authority.authorization(account, authorizationUrl, signal);
  if (!found.ok) return failed(found.failure);
  switch (found.value.status) {
    case "pending":
      return { kind: "waits", retryAt: found.value.retryAt };
    case "valid": {
      const isOnly = open.authorizationUrls.length === 1;
      return moved({ state: { step: isOnly ? "proven" : "ordered", url } });
    }
    case "invalid":
    case "deactivated":
    case "expired":
    case "revoked":
      return overOf(open, found.value);
  }
}

/** Problems that say nothing about the other way of proving: another port, another protocol. */
const OF_ONE_WAY: readonly AuthorityProblem["code"][] = ["connection", "tls", "wrong_answer"];

function overOf(
  { fallback }: OpenOrder,
  authorization: Exclude<Authorization, { readonly status: "valid" | "pending" }>,
): Taken {
  if (authorization.status !== "invalid") {
    return restart(`The authorization is ${authorization.status}.`);
  }
  const { problem } = authorization;
  return fallback !== undefined && OF_ONE_WAY.includes(problem.code)
    ? { kind: "unproven", problem, fallback }
    : failed(problem);
}

/** Asks for the certificate; `authority.finalize` reports one that was asked for before. */
async function finalize(tools: StepTools, open: OpenOrder, url: string): Promise<Taken> {
  const { authority, account, privateKeyPem, signal } = tools;
  const { name, finalizeUrl } = open;
  if (finalizeUrl === undefined) return findOut(tools, open, url);
  const csr = createCsr([name], privateKeyPem);
  const finalized = await authority.finalize(account, { url, finalizeUrl }, csr, signal);
  if (!finalized.ok) {
    return finalized.failure.code === "order_not_ready"
      ? findOut(tools, open, url)
      : failed(finalized.failure);
  }
  const { status, retryAt } = finalized.value;
  // It was asked for: what it has become is seen by looking again.
  return status === "ready" || status === "processing"
    ? asked({ state: { step: "finalized", url } }, retryAt)
    : follow(finalized.value);
}

/** Reads an order that the CA does not find ready yet, or whose row is of an older version. */
async function findOut(
  { authority, account, signal }: StepTools,
  open: OpenOrder,
  url: string,
): Promise<Taken> {
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  const { status, finalizeUrl } = order.value;
  return status === "ready" && open.finalizeUrl === undefined
    ? moved({ state: { step: "proven", url }, finalizeUrl })
    : follow(order.value);
}

/** Asks whether it is made. */
async function awaitCertificate(
  { authority, account, signal }: StepTools,
  url: string,
): Promise<Taken> {
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  const { value } = order;
  if (value.status === "processing") return { kind: "waits", retryAt: value.retryAt };
  return value.status === "ready" ? moved({ state: { step: "proven", url } }) : follow(value);
}

/** Where an order leads that is proven. */
function follow(order: Order): Taken {
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
): Promise<Taken> {
  const chain = await authority.download(account, certificateUrl, signal);
  if (!chain.ok) return failed(chain.failure);
  return moved({ state: { step: "downloaded", url, chainPem: chain.value } });
}

/** Nothing is put to use that was not looked at. */
function judge(
  { privateKeyPem, now, timeKnown }: StepTools,
  { name }: OpenOrder,
  chainPem: string,
): Taken {
  const examined = examine(chainPem, privateKeyPem, name, timeKnown ? now : undefined);
  if (examined.ok) return { kind: "examined", chainPem, facts: examined.value };
  const { message, validFrom } = examined.failure;
  if (validFrom !== undefined) return { kind: "held", until: validFrom };
  return failed(ownProblem("certificate_unusable", message));
}

/**
 * Takes the step that an order is at: one request that changes something at the CA, and what must be known for it.
 * It can be taken again if what came of it was lost.
 */
export function takeStep(tools: StepTools, open: OpenOrder): Promise<Taken> {
  const { state } = open;
  switch (state.step) {
    case "keyed":
      return makeOrder(tools, open);
    case "ordered":
      return choose(tools, open, state.url);
    case "presented":
      return answer(tools, open, state);
    case "answered":
      return awaitProof(tools, open, state);
    case "proven":
      return finalize(tools, open, state.url);
    case "finalized":
      return awaitCertificate(tools, state.url);
    case "issued":
      return download(tools, state);
    case "downloaded":
      return Promise.resolve(judge(tools, open, state.chainPem));
  }
}
