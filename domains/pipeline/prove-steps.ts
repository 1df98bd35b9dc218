import { ownProblem } from "../model/acme-problem.ts";
import { CHALLENGE_MAX_MS, type OpenOrder } from "../model/order-state.ts";
import type { Authorization, Order } from "../ports/authority.ts";
import { failed, moved, restart, type StepTools, type Taken } from "./taken.ts";

/** An order at the CA. Taken twice, it leaves one behind that nobody knows of. */
export async function makeOrder(
  { authority, account, signal }: StepTools,
  { name }: OpenOrder,
): Promise<Taken> {
  const made = await authority.newOrder(account, { names: [name] }, signal);
  if (!made.ok) return failed(made.failure);
  const { url, authorizationUrls } = made.value;
  return moved({ state: { step: "ordered", url }, authorizationUrls });
}

/** What the CA wants to see, and how it is shown. */
export async function choose(tools: StepTools, open: OpenOrder, url: string): Promise<Taken> {
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

/** Tells the CA to look. */
export async function answer(
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

/** Asks whether it has looked. */
export async function awaitProof(
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
