import { noSuchAccount } from "./default-account.ts";
import { DAY_MS, MINUTE_MS, type Clock } from "../base/clock.ts";
import { hashSecret, isHashOf, utf8 } from "../base/digest.ts";
import { bytesAsBase62, type Random } from "../base/id.ts";
import { anId, namedArguments, takingArguments } from "../base/arguments.ts";
import { optional } from "../base/options.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import type { Actor } from "../model/actor.ts";
import type { Hashing } from "./credential-ring.ts";
import { type Credential, parseCredential } from "../model/credential.ts";
import {
  createCredential,
  credentialText,
  newCredentialId,
  SECRET_LENGTH,
} from "../model/new-credential.ts";
import { faultOfName, normalText } from "../model/text.ts";
import { includes, type Principal, type Role } from "./principal.ts";
import {
  TOKEN_KIND,
  viewOfToken,
  type IssuedToken,
  type TokenView,
  type ManagementToken,
  type SetupLink,
  type TokenChange,
  type TokenRefusal,
  type TokenStore,
} from "./token-store.ts";

interface NewToken {
  /** Absent for an operator's token. */
  readonly accountId?: string | undefined;
  readonly role: Role;
  readonly name?: string | undefined;
  readonly expiresInMs?: number | undefined;
}

/** A setup link's token, a secret. Instants are in milliseconds since the Unix epoch. */
export interface OfferedLink {
  readonly setupToken: string;
  readonly expiresAt: number;
}

/** Manages tokens and the setup link. Callers must check roles first. */
export interface Tokens {
  /** Refused `invalid_value`, `limit_reached`. The bearer credential cannot be read again later. */
  create(input: NewToken & { readonly by: Principal }): Promise<Result<IssuedToken, Problem>>;
  /** Returns the tokens of an account, or of the operators; newest first. */
  list(accountId: string | undefined): Promise<readonly TokenView[]>;
  /** Revokes a token: immediately in this process, within a second in others. `not_found` for another account's token. */
  revoke(id: string, accountId: string | undefined): Promise<Result<TokenView, Problem>>;
  /** Creates the setup link, which works once within 30 minutes. It replaces an earlier one. */
  setupLink(): Promise<OfferedLink>;
  /**
   * Returns the setup link that any process created, if it remains valid for five minutes; otherwise creates one.
   * Undefined if an older version of the program created it.
   */
  firstSetupLink(): Promise<OfferedLink | undefined>;
  /** Returns the setup link of a setup token without using it. Refused `invalid_setup_token`. */
  setupLinkOf(setupToken: string): Promise<Result<Pick<SetupLink, "id" | "expiresAt">, Problem>>;
  /** Exchanges the setup link for an operator's token. Refused `invalid_setup_token`, `invalid_value`. */
  claim(setupToken: string, name?: string): Promise<Result<IssuedToken, Problem>>;
}

/** The most active tokens of an account, or of the operators. */
export const MAX_TOKENS = 100;
const MAX_LIFETIME_MS = 3_650 * DAY_MS;
const SETUP_LINK_MS = 30 * MINUTE_MS;
/** A link is shown again only if there is enough time to use it. */
const SHOWN_AGAIN_MS = 5 * MINUTE_MS;
/** The `<kind>` of a setup link's token: `pet_setup_…`. */
const SETUP_KIND = "setup";

export function createTokens({
  tokenStore,
  clock,
  random,
  digest,
  pepper,
  forget,
  actor,
}: Hashing & {
  readonly tokenStore: TokenStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Drops a token from this process's cache. */
  readonly forget: (tokenId: string) => void;
  /** Who makes the changes. */
  readonly actor: Actor;
}): Tokens {
  const commit = (changes: readonly TokenChange[]) => tokenStore.commit(changes, actor);

  /** Commits a new token together with the changes `before`. */
  const issue = async (
    { accountId, role, name = "", expiresInMs }: NewToken,
    before: readonly TokenChange[] = [],
  ): Promise<Result<IssuedToken, Problem>> => {
    const { id, secret, token: bearer } = createCredential(random, TOKEN_KIND);
    const hash = await hashSecret(digest, await pepper(), secret);
    const at = clock.now();
    const token: ManagementToken = {
      id,
      role,
      name: normalText(name),
      hash,
      createdAt: at,
      ...withoutUndefined({
        accountId,
        expiresAt: expiresInMs === undefined ? undefined : at + expiresInMs,
      }),
    };
    const committed = await commit([
      ...before,
      { kind: "token.create", token, max: MAX_TOKENS, at },
    ]);
    if (committed.ok) return done({ view: viewOfToken(token, at), token: bearer });
    return refused(committed.failure === "limit" ? tooMany : noSuchAccount);
  };

  const setupLinkOf: Tokens["setupLinkOf"] = async (setupToken) => {
    const sent = parseCredential(setupToken);
    if (sent?.kind !== SETUP_KIND) return refused(invalidSetupLink);
    const link = await tokenStore.setupLink();
    const right = await isHashOf(digest, await pepper(), sent.secret, link?.hash);
    const valid =
      link !== undefined && right && link.id === sent.id && link.expiresAt > clock.now();
    return valid ? done({ id: link.id, expiresAt: link.expiresAt }) : refused(invalidSetupLink);
  };

  /** Follows from the ID, so that every process with the encryption key can show the link. */
  const setupTokenOf = async (id: string): Promise<Credential & { readonly token: string }> => {
    const bytes = await digest.hmac(await pepper(), utf8(`setup link ${id}`));
    const credential = { kind: SETUP_KIND, id, secret: bytesAsBase62(bytes, SECRET_LENGTH) };
    return { ...credential, token: credentialText(credential) };
  };
  const offer = async (unlessAfter?: number): Promise<Result<OfferedLink, TokenRefusal>> => {
    const { id, secret, token: setupToken } = await setupTokenOf(newCredentialId(random));
    const at = clock.now();
    const expiresAt = at + SETUP_LINK_MS;
    const hash = await hashSecret(digest, await pepper(), secret);
    const committed = await commit([
      {
        kind: "setup.offer",
        link: { id, hash, expiresAt },
        at,
        ...withoutUndefined({ unlessAfter }),
      },
    ]);
    return committed.ok ? done({ setupToken, expiresAt }) : committed;
  };

  const tokens: Tokens = {
    create: async (input) => {
      const fault = faultOfToken(input) ?? faultOfRole(input);
      return fault === undefined ? issue(input) : refused(fault);
    },
    list: async (accountId) => {
      const now = clock.now();
      return (await tokenStore.list(accountId)).map((token) => viewOfToken(token, now));
    },
    revoke: async (tokenId, accountId) => {
      const token = await tokenStore.byId(tokenId);
      if (token === undefined || token.accountId !== accountId) return refused(noSuchToken);
      const at = clock.now();
      await commit([{ kind: "token.revoke", tokenId, at }]);
      forget(tokenId);
      const revoked = await tokenStore.byId(tokenId);
      return revoked === undefined ? refused(noSuchToken) : done(viewOfToken(revoked, at));
    },
    setupLink: async () => {
      const offered = await offer();
      if (!offered.ok) throw new Error("unreachable: nothing was demanded");
      return offered.value;
    },
    firstSetupLink: async () => {
      const offered = await offer(clock.now() + SHOWN_AGAIN_MS);
      if (offered.ok) return offered.value;
      const link = await tokenStore.setupLink();
      if (link === undefined) return undefined;
      const { secret, token: setupToken } = await setupTokenOf(link.id);
      const derived = await isHashOf(digest, await pepper(), secret, link.hash);
      return derived ? { setupToken, expiresAt: link.expiresAt } : undefined;
    },
    setupLinkOf,
    claim: async (setupToken, name) => {
      const fault = faultOfToken({ name });
      if (fault !== undefined) return refused(fault);
      const link = await setupLinkOf(setupToken);
      if (!link.ok) return link;
      const issued = await issue({ role: "operator", name }, [
        { kind: "setup.take", linkId: link.value.id, at: clock.now() },
      ]);
      // Only the link can be missing: an operator's token needs no account.
      return !issued.ok && issued.failure === noSuchAccount ? refused(invalidSetupLink) : issued;
    },
  };
  return takingArguments("tokens", tokens, {
    create: [namedArguments],
    list: [optional(anId)],
    revoke: [anId, optional(anId)],
  });
}

/** Returns why a token cannot have the name or lifetime; undefined if it can. */
function faultOfToken({
  name = "",
  expiresInMs = 1,
}: Pick<NewToken, "name" | "expiresInMs">): Problem | undefined {
  const fault = name === "" ? undefined : faultOfName(name, 120);
  if (fault !== undefined) return problem("invalid_value", `The name ${fault}.`);
  return Number.isSafeInteger(expiresInMs) && expiresInMs >= 1 && expiresInMs <= MAX_LIFETIME_MS
    ? undefined
    : problem("invalid_value", "A token must expire in the future, after at most ten years.");
}

/** Requires an account for every role except operator. A token has no more permissions than its creator. */
function faultOfRole({
  role,
  accountId,
  by,
}: NewToken & { readonly by: Principal }): Problem | undefined {
  if ((role === "operator") !== (accountId === undefined)) {
    return problem("invalid_value", "A token of an account has the role owner, staff or viewer.");
  }
  return includes(by.role, role)
    ? undefined
    : problem(
        "insufficient_role",
        `You cannot create a token with more rights than your own: this one needs the role ${role}.`,
      );
}

const tooMany: Problem = problem(
  "limit_reached",
  `The limit of ${MAX_TOKENS} active tokens is reached. Revoke one first.`,
);
const noSuchToken: Problem = problem("not_found", "There is no such token.");
export const invalidSetupLink: Problem = problem(
  "invalid_setup_token",
  "The setup link has been used, has expired or is mistyped. Create another one with: petstore setup-link",
);
