import { createCsr } from "../acme/csr.ts";
import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { CertificateFacts } from "../model/certificate.ts";
import type { ChallengeKind } from "../model/domain.ts";
import { CHALLENGE_MAX_MS, type OpenOrder } from "../model/order-state.ts";
import type { Account, Authorization, CertificateAuthority, Order } from "../ports/authority.ts";
import type { OpenChallenge } from "../ports/stored.ts";
import { examine } from "./activate.ts";

/** What came of a step, not written down yet. */
export type Taken =
  | {
      readonly kind: "moved";
      readonly to: Partial<Pick<OpenOrder, "state" | "authorizationUrls" | "challenge">>;
      /** To be answered from now on. */
      readonly challenge?: OpenChallenge;
    }
  /** The CA is not done. */
  | { readonly kind: "waits"; readonly retryAt: number | undefined }
  | { readonly kind: "examined"; readonly chainPem: string; readonly facts: CertificateFacts }
  | { readonly kind: "failed"; readonly problem: AuthorityProblem };

/** What steps are taken with. */
export interface StepTools {
  readonly authority: CertificateAuthority;
  readonly account: Account;
  readonly privateKeyPem: string;
  readonly now: number;
  /** Which way of proving is tried, if the CA offers it. */
  readonly preferred: ChallengeKind;
  readonly challenges: readonly ChallengeKind[];
  readonly signal: AbortSignal;
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
      return awaitProof(tools, state);
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

const failed = (problem: AuthorityProblem): Taken => ({ kind: "failed", problem });
const moved = (to: Extract<Taken, { readonly kind: "moved" }>["to"]): Taken => ({
  kind: "moved",
  to,
});
const restart = (message: string): Taken => failed(ownProblem("order_gone", message));

async function makeOrder(
  { authority, account, signal }: StepTools,
  { name }: OpenOrder,
): Promise<Taken> {
  const made = await authority.newOrder(account, { names: [name] }, signal);
  if (!made.ok) return failed(made.failure);
  const { url, authorizationUrls } = made.value;
  return moved({ state: { step: "ordered", url }, authorizationUrls });
}

async function choose(tools: StepTools, open: OpenOrder, url: string): Promise<Taken> {
  const { authority, account, signal } = tools;
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  switch (order.value.status) {
    case "invalid":
      return failed(order.value.problem);
    case "ready":
      return moved({ state: { step: "proven", url } });
    case "processing":
    case "valid":
      // An order that the CA knew before us: what comes of it is made for another key.
      return restart("The order was finalized before.");
    case "pending":
      return present(tools, open, order.value);
  }
}

/** The first authorization that is still to be proven; one name has one, but a CA may want more. */
async function present(tools: StepTools, open: OpenOrder, order: Order): Promise<Taken> {
  const { authority, account, signal } = tools;
  for (const authorizationUrl of order.authorizationUrls) {
    const found = await authority.authorization(account, authorizationUrl, signal);
    if (!found.ok) return failed(found.failure);
    const authorization = found.value;
    if (authorization.status === "valid") continue;
    if (authorization.status === "pending") return offer(tools, open, order.url, authorization);
    return overOf(authorization);
  }
  return { kind: "waits", retryAt: order.retryAt };
}

function offer(
  { preferred, challenges, now }: StepTools,
  open: OpenOrder,
  url: string,
  authorization: Extract<Authorization, { readonly status: "pending" }>,
): Taken {
  const offered = authorization.challenges.flatMap((challenge) => {
    const kind = challenges.find((able) => able === challenge.type);
    return kind === undefined ? [] : [{ ...challenge, kind }];
  });
  const chosen = offered.find(({ kind }) => kind === preferred) ?? offered[0];
  if (chosen === undefined) {
    return failed(ownProblem("wrong_answer", "The CA offers no way of proving that we have."));
  }
  const { kind, token, keyAuthorization } = chosen;
  return {
    kind: "moved",
    to: {
      state: { step: "presented", url, authorizationUrl: authorization.url },
      challenge: kind,
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
}

async function answer(
  { authority, account, signal }: StepTools,
  { challenge: kind }: OpenOrder,
  { url, authorizationUrl }: AtProof,
): Promise<Taken> {
  const found = await authority.authorization(account, authorizationUrl, signal);
  if (!found.ok) return failed(found.failure);
  const answered = moved({ state: { step: "answered", url, authorizationUrl } });
  if (found.value.status === "valid") return answered;
  if (found.value.status !== "pending") return overOf(found.value);
  const challenge = found.value.challenges.find(({ type }) => type === kind);
  if (challenge === undefined) return restart("The CA offers another challenge than before.");
  const told = await authority.answer(account, challenge, signal);
  return told.ok ? answered : failed(told.failure);
}

async function awaitProof(
  { authority, account, signal }: StepTools,
  { url, authorizationUrl }: AtProof,
): Promise<Taken> {
  const found = await authority.authorization(account, authorizationUrl, signal);
  if (!found.ok) return failed(found.failure);
  switch (found.value.status) {
    case "pending":
      return { kind: "waits", retryAt: found.value.retryAt };
    case "valid":
      // Back to where the order says what else it wants.
      return moved({ state: { step: "ordered", url } });
    case "invalid":
    case "deactivated":
    case "expired":
    case "revoked":
      return overOf(found.value);
  }
}

function overOf(
  authorization: Exclude<Authorization, { readonly status: "valid" | "pending" }>,
): Taken {
  return authorization.status === "invalid"
    ? failed(authorization.problem)
    : restart(`The authorization is ${authorization.status}.`);
}

async function finalize(
  { authority, account, privateKeyPem, signal }: StepTools,
  { name }: OpenOrder,
  url: string,
): Promise<Taken> {
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  if (order.value.status !== "ready") return follow(order.value);
  const csr = createCsr([name], privateKeyPem);
  const asked = await authority.finalize(account, order.value, csr, signal);
  if (!asked.ok) return failed(asked.failure);
  // It was asked for: what it has become is seen by looking again.
  return asked.value.status === "ready"
    ? moved({ state: { step: "finalized", url } })
    : follow(asked.value);
}

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
function judge({ privateKeyPem, now }: StepTools, { name }: OpenOrder, chainPem: string): Taken {
  const examined = examine(chainPem, privateKeyPem, name, now);
  if (examined.ok) return { kind: "examined", chainPem, facts: examined.value };
  const { message, validFrom } = examined.failure;
  return validFrom === undefined ? restart(message) : { kind: "waits", retryAt: validFrom };
}
