import { problem, type Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { Log } from "../../lib/base/log.ts";
import type { AuthorityAccountView } from "../view/shapes.ts";
import { keyThumbprint } from "../acme/keys.ts";
import { remedyOf, type AuthorityProblem } from "../model/acme-problem.ts";
import type { Domain } from "../model/domain.ts";
import { findingOfProblem, waitsForOperator } from "../model/order-failure.ts";
import { budgetedAt } from "../model/backoff.ts";
import {
  cancelReplacement,
  continueReplacement,
  replaceAccount,
  type ReplacementContext,
} from "../pipeline/account-replacement.ts";
import {
  accountKeyOf,
  accountWith,
  applicationFor,
  rollOver,
} from "../pipeline/authority-account.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import type { DomainsContext } from "./context.ts";
import { noSuchAuthority } from "./refusals.ts";
import { saveDomain } from "./save-domains.ts";

type Answer = Promise<Result<AuthorityAccountView, Problem>>;

/** Shows this service's accounts with their present state at the authorities; the one for new orders first. */
export async function showAccounts({
  accounts,
  stopping,
}: Pick<DomainsContext, "accounts" | "stopping">): Promise<readonly AuthorityAccountView[]> {
  return Promise.all(accounts.authorities.map((one) => showAccount(accounts, one, stopping)));
}

async function showAccount(
  context: ReplacementContext,
  authority: CertificateAuthority,
  signal: AbortSignal,
): Promise<AuthorityAccountView> {
  const { store, lock } = context;
  const [kept, replaced, successor, directory] = await Promise.all([
    store.accounts.of(authority.id),
    store.accounts.replaced(authority.id),
    store.accounts.successor(authority.id),
    authority.directory(signal),
  ]);
  const key = kept === undefined ? undefined : accountKeyOf(context, kept);
  const state =
    kept?.url === undefined || key === undefined
      ? done({ status: "none" as const, contact: [] })
      : await authority.accountState({ url: kept.url, key }, signal);
  const recordFor = async (url: string | undefined): Promise<string | null> =>
    (url === undefined ? undefined : await lock.recordFor(authority.id, url)) ?? null;
  return {
    authority: authority.id,
    url: kept?.url ?? null,
    caaRecord: await recordFor(kept?.url),
    ...(state.ok ? { ...state.value, problem: null, fix: null } : withoutState(state.failure)),
    externalAccountKeyId: applicationFor(context, authority).externalAccount?.keyId ?? null,
    thumbprint: key === undefined ? null : keyThumbprint(key),
    termsOfServiceUrl: (directory.ok && directory.value.termsOfServiceUrl) || null,
    createdAt: kept?.createdAt ?? null,
    replaced: replaced.map(({ url, replacedAt }) => ({ url, replacedAt })),
    successor:
      successor === undefined
        ? null
        : {
            url: successor.url ?? null,
            caaRecord: await recordFor(successor.url),
            createdAt: successor.createdAt,
            switchAt: successor.switchAt ?? null,
          },
  };
}

function withoutState(
  failure: AuthorityProblem,
): Pick<AuthorityAccountView, "status" | "contact" | "problem" | "fix"> {
  const { code, message } = failure;
  const closed = code === "account_deactivated" || code === "account_unknown";
  const fix = closed
    ? "Create a new account: petstore certs account replace"
    : remedyOf(code) === "operator"
      ? findingOfProblem("", failure).fix
      : null;
  return { status: statusBy(failure), contact: [], problem: message, fix };
}

function statusBy({ code }: AuthorityProblem): AuthorityAccountView["status"] {
  if (code === "account_deactivated") return "deactivated";
  return remedyOf(code) === "wait" ? "unknown" : "refused";
}

/**
 * Changes the key of an account; `authority` is the address of its directory, default: the one of new orders.
 * `not_found` for another authority, `authority_refused`, `unavailable` if it cannot be reached.
 */
export function rolloverAccount(context: DomainsContext, authority?: string): Answer {
  return change(context, authority, (one) => rollOver(context.accounts, one, context.stopping));
}

/**
 * Registers a new account, and switches to it once CAA records allow it; with `force` at once. The orders that waited
 * for the operator then start. Refused like `rolloverAccount`.
 */
export async function replaceAuthorityAccount(
  context: DomainsContext,
  authority?: string,
  { force = false }: { readonly force?: boolean } = {},
): Answer {
  const { accounts, stopping: signal } = context;
  return change(context, authority, async (one) => {
    const replaced = await replaceAccount(accounts, one, { force, signal });
    if (replaced?.ok === true && replaced.value === "switched") await wake(context);
    return replaced;
  });
}

/** Cancels a pending replacement: the present account stays. Refused like `rolloverAccount`. */
export function cancelAccountReplacement(context: DomainsContext, authority?: string): Answer {
  return change(context, authority, (one) =>
    cancelReplacement(context.accounts, one, context.stopping),
  );
}

/** Switches to new accounts that CAA records allow by now. Failures of a CA are retried at the next call. */
export async function continueReplacements(context: DomainsContext, log: Log): Promise<void> {
  const { accounts, stopping } = context;
  for (const authority of accounts.authorities) {
    const continued = await continueReplacement(accounts, authority, stopping);
    if (continued?.ok !== true || continued.value !== "switched") continue;
    log.info("a new account with the CA places all further orders", { ca: authority.id });
    await wake(context);
  }
}

/**
 * Creates the accounts with the authorities that get orders only while the first one cannot issue: CAA records can then
 * name them in advance. The first one's is created by its first order. Failures are retried at the next call.
 */
export async function prepareAccounts(
  { accounts, stopping }: Pick<DomainsContext, "accounts" | "stopping">,
  log: Log,
): Promise<void> {
  const [, ...others] = accounts.authorities;
  for (const authority of others) {
    const { id: ca } = authority;
    if ((await accounts.store.accounts.of(ca))?.url !== undefined) continue;
    const made = await accountWith(accounts, authority, stopping);
    if (made === undefined) continue;
    if (made.ok) log.info("an account with another CA was created", { ca, url: made.value.url });
    else {
      const { code, message } = made.failure;
      log.warn("no account with another CA could be created", { ca, code, message });
    }
  }
}

async function change(
  { accounts, stopping }: DomainsContext,
  id: string | undefined,
  act: (authority: CertificateAuthority) => Promise<Result<unknown, AuthorityProblem> | undefined>,
): Answer {
  const { authorities } = accounts;
  const authority = id === undefined ? authorities[0] : authorities.find((one) => one.id === id);
  if (authority === undefined) return refused(noSuchAuthority);
  const changed = await act(authority);
  if (changed === undefined) return refused(atWork);
  if (!changed.ok) return refused(refusalOf(changed.failure));
  return done(await showAccount(accounts, authority, stopping));
}

const atWork: Problem = problem(
  "unavailable",
  "Another process is working on the account. Try again.",
  { retryAfterSeconds: 5 },
);

function refusalOf({ code, message }: AuthorityProblem): Problem {
  return remedyOf(code) === "wait"
    ? problem("unavailable", `The certificate authority did not answer: ${message}`, {
        retryAfterSeconds: 60,
      })
    : problem("authority_refused", `The certificate authority refused the request: ${message}`);
}

const PAGE = 200;

/** Ends the wait of domains whose last order failed because of the account. */
async function wake(context: DomainsContext): Promise<void> {
  const { store, clock } = context;
  for (let after: string | undefined; ;) {
    const page = await store.domains.all({
      limit: PAGE,
      after,
    });
    for (const { id } of page.filter(isWaiting)) {
      await saveDomain(context, id, (from) => {
        const now = clock.now();
        const { skipped: _skipped, ...issuance } = from.issuance;
        const notBefore = Math.max(now, budgetedAt(issuance.failedAt, now));
        return done({ to: { ...from, issuance: { ...issuance, notBefore } }, news: [] });
      });
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.id;
  }
}

function isWaiting({ issuance: { failure } }: Domain): boolean {
  return failure !== undefined && waitsForOperator(failure.code);
}
