import { keyFingerprint } from "../acme/keys.ts";
import { ownProblem, remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import type { ChallengeKind } from "../model/domain.ts";
import { CHALLENGE_MAX_MS, type OpenOrder, type PresentedProof } from "../model/order-state.ts";
import type { Authorization, Challenge } from "../ports/authority.ts";
import { asked, failed, moved, restart, type StepTools, type Taken } from "./taken.ts";

/** An order at the CA. Taken twice, it leaves one behind that nobody knows of. */
export async function makeOrder(
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
export async function choose(tools: StepTools, open: OpenOrder, url: string): Promise<Taken> {
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
  const told = await authority.answer(account, challengeOf(open.challenge, proof), signal);
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
export async function awaitProof(
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
