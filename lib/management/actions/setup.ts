import { MINUTE_MS } from "../../base/clock.ts";
import { hashSecret, isHashOf } from "../../base/digest.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { createCredential, parseCredential } from "../../model/credential.ts";
import type { IssuedToken } from "../client.ts";
import type { SetupLink } from "../token-store.ts";
import { commitToken, faultOfToken, mint, type TokenContext } from "./tokens.ts";

/** How long a setup link is good. */
export const SETUP_LINK_MS: number = 30 * MINUTE_MS;

/** What its token begins with: `pet_setup_`. */
const SETUP_KIND = "setup";

/** Makes the one setup link that is good: for 30 minutes, and once. */
export async function offerSetup({
  tokenStore,
  random,
  digest,
  pepper,
  clock,
}: TokenContext): Promise<{ readonly setupToken: string; readonly expiresAt: number }> {
  const { id, secret, token } = createCredential(random, SETUP_KIND);
  const expiresAt = clock.now() + SETUP_LINK_MS;
  const hash = await hashSecret(digest, await pepper(), secret);
  await tokenStore.commit([{ kind: "setup.offer", link: { id, hash, expiresAt } }]);
  return { setupToken: token, expiresAt };
}

/** Trades the token of the setup link for an operator's. The link is taken in the same commit. */
export async function claimSetup(
  context: TokenContext,
  setupToken: string,
  name: string | undefined,
): Promise<Result<IssuedToken, Problem>> {
  const fault = faultOfToken({ name });
  if (fault !== undefined) return refused(fault);
  const link = await setupLinkOf(context, setupToken);
  if (!link.ok) return link;
  const minted = await mint(context, { role: "operator", name });
  const issued = await commitToken(context, minted, [
    { kind: "setup.take", linkId: link.value.id, at: context.clock.now() },
  ]);
  // Only the link can be missing: an operator's token needs no account.
  return !issued.ok && issued.failure.code === "not_found" ? refused(invalidLink) : issued;
}

/** The setup link of that token, while it is good. Whoever acts on it takes it in the same commit. */
export async function setupLinkOf(
  { tokenStore, digest, pepper, clock }: TokenContext,
  setupToken: string,
): Promise<Result<Pick<SetupLink, "id" | "expiresAt">, Problem>> {
  const sent = parseCredential(setupToken);
  if (sent?.kind !== SETUP_KIND) return refused(invalidLink);
  const link = await tokenStore.setupLink();
  const right = await isHashOf(digest, await pepper(), sent.secret, link?.hash);
  const good = link !== undefined && right && link.id === sent.id && link.expiresAt > clock.now();
  return good ? done({ id: link.id, expiresAt: link.expiresAt }) : refused(invalidLink);
}

export const invalidLink: Problem = problem(
  "invalid_setup_token",
  "The setup link was used, has expired or is mistyped. Make another one with: petstore setup-link",
);
