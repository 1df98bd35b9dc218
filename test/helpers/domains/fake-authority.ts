import { internalAuthority, createInternalRoot } from "../../../domains/acme/internal-ca.ts";
import { ownProblem, type AuthorityProblem } from "../../../domains/model/acme-problem.ts";
import type { ChallengeKind } from "../../../domains/model/domain.ts";
import type {
  Account,
  Authorization,
  CertificateAuthority,
  Order,
  RenewalInfo,
} from "../../../domains/ports/authority.ts";
import type { Clock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { done, refused, type Result } from "../../../lib/base/result.ts";

interface Kept {
  readonly number: number;
  readonly name: string;
  readonly at: number;
  proof: "pending" | "asked" | "valid" | "deactivated" | AuthorityProblem;
  answered?: ChallengeKind;
  /** The certificate that the order replaces. */
  readonly replaces?: string;
  certificateUrl?: string;
  readonly expiresAt?: number;
}

/** A fault of a call: none, a refusal before any effect, or a lost response. */
export type Fault = AuthorityProblem | "lost" | undefined;

export interface FakeAuthority extends CertificateAuthority {
  /** All orders, oldest first. */
  readonly orders: readonly Kept[];
  readonly calls: readonly string[];
  /** Its renewal information; undefined: it offers none. */
  renewal: ((renewalId: string) => RenewalInfo | AuthorityProblem) | undefined;
  /** The revoked certificates, and the key that signed the request: `account`, or the certificate's `key`. */
  readonly revoked: { readonly pem: string; readonly reason: string; readonly by: string }[];
  /** The URLs of deactivated accounts. */
  readonly closed: Set<string>;
  /** The number of issued certificates. */
  readonly issued: number;
  /** How long its orders live; undefined: it does not say. */
  orderMs?: number;
  /** How long an authorization serves later orders for its name; undefined: each order needs a proof. */
  reuseMs?: number;
  /** Calls for orders that it has discarded. */
  late: number;
  /** True if a finalized order is `processing` until it is read again. */
  processing: boolean;
  readonly failedValidations: readonly { readonly name: string; readonly at: number }[];
  /** Decides the result of a challenge's validation; undefined: not validated yet. */
  validate: (name: string, kind: ChallengeKind) => Promise<true | AuthorityProblem | undefined>;
  fault: (call: string, name: string) => Fault;
  /** Changes the chain that is downloaded. */
  sent: (chain: string) => string;
}

export const lostAnswer: AuthorityProblem = ownProblem("unavailable", "The connection broke.");

const accountClosed = ownProblem("account_deactivated", "Account has been deactivated");

const roots = new Map<number, ReturnType<typeof createInternalRoot>>();

/** Returns the root of the CAs that begin at an instant, whose key takes longer to make than most tests. */
function rootAt(now: number): ReturnType<typeof createInternalRoot> {
  const known = roots.get(now) ?? createInternalRoot(now, systemRandom);
  roots.set(now, known);
  return known;
}

/** Creates a CA in memory whose behavior is controlled by the test. Its certificates are real and use its own clock. */
export async function fakeAuthority(
  clock: Clock,
  {
    id = "https://ca.test/directory",
    ...options
  }: { readonly lifetimeMs?: number; readonly id?: string } = {},
): Promise<FakeAuthority> {
  const root = await rootAt(clock.now());
  const issuer = internalAuthority({
    root,
    clock,
    random: systemRandom,
    ...options,
  });
  const orders: Kept[] = [];
  const calls: string[] = [];
  let accountsMade = 0;
  const failedValidations: { name: string; at: number }[] = [];
  /** By public key. */
  const accounts = new Map<string, string>();

  const at = (url: string): Kept => {
    const kept = orders[Number(url.split("/").at(-1))];
    if (kept === undefined) throw new Error(`no order at ${url}`);
    return kept;
  };

  const orderOf = (kept: Kept): Order => {
    const { number, name, proof, certificateUrl, expiresAt } = kept;
    const order = {
      url: `https://ca.test/order/${number}`,
      names: [name],
      authorizationUrls: [`https://ca.test/authorization/${number}`],
      finalizeUrl: `https://ca.test/finalize/${number}`,
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    if (certificateUrl !== undefined) return { ...order, status: "valid", certificateUrl };
    if (typeof proof === "object") return { ...order, status: "invalid", problem: proof };
    return { ...order, status: proof === "valid" ? "ready" : "pending" };
  };

  const validated = async (kept: Kept): Promise<void> => {
    if (kept.proof !== "asked") return;
    const found = await authority.validate(kept.name, kept.answered ?? "http-01");
    if (found === undefined) return;
    kept.proof = found === true ? "valid" : found;
    if (found !== true) failedValidations.push({ name: kept.name, at: clock.now() });
  };

  const authorizationOf = ({ number, name, proof }: Kept): Authorization => {
    const url = `https://ca.test/authorization/${number}`;
    const authorization = { url, name, wildcard: false };
    if (typeof proof === "object") return { ...authorization, status: "invalid", problem: proof };
    if (proof === "valid" || proof === "deactivated") return { ...authorization, status: proof };
    const kinds = ["http-01", "tls-alpn-01"] as const;
    const challenges = kinds.map((type) => ({
      type,
      url: `https://ca.test/${type}/${number}`,
      token: `${type}-${number}`,
      keyAuthorization: `${type}-${number}.thumbprint`,
      status: proof === "asked" ? ("processing" as const) : ("pending" as const),
    }));
    return { ...authorization, status: "pending", challenges };
  };

  const call = async <Value>(
    what: string,
    name: string,
    act: () => Promise<Result<Value, AuthorityProblem>>,
  ): Promise<Result<Value, AuthorityProblem>> => {
    calls.push(`${what} ${name}`);
    const fault = authority.fault(what, name);
    if (fault !== undefined && fault !== "lost") return refused(fault);
    const outcome = await act();
    return fault === "lost" ? refused(lostAnswer) : outcome;
  };

  const accountOf = (key: string): Result<Account, AuthorityProblem> => {
    const url = accounts.get(key);
    if (url === undefined) return refused(ownProblem("account_unknown", "No such account."));
    return authority.closed.has(url) ? refused(accountClosed) : done({ url, key });
  };
  const accountAt = ({ key }: Account): Result<Account, AuthorityProblem> => accountOf(key);

  const isReused = (name: string): boolean => {
    const last = orders.findLast((order) => order.name === name && order.proof === "valid");
    const { reuseMs } = authority;
    return reuseMs !== undefined && last !== undefined && clock.now() < last.at + reuseMs;
  };
  const countLate = ({ expiresAt = Infinity, certificateUrl }: Kept): void => {
    if (certificateUrl === undefined && clock.now() >= expiresAt) authority.late++;
  };

  const authority: FakeAuthority = {
    id,
    kind: "acme",
    orders,
    calls,
    get issued() {
      return orders.filter(({ certificateUrl }) => certificateUrl !== undefined).length;
    },
    processing: false,
    late: 0,
    failedValidations,
    validate: async () => true,
    fault: () => undefined,
    sent: (chain) => chain,
    renewal: undefined,
    revoked: [],
    directory: async (signal) => {
      const directory = await issuer.directory(signal);
      const renewalInfo = authority.renewal !== undefined;
      return directory.ok ? done({ ...directory.value, renewalInfo }) : directory;
    },
    renewalInfo: (renewalId) =>
      call("renewalInfo", "", async () => {
        const info = authority.renewal?.(renewalId) ?? ownProblem("bad_request", "No windows.");
        return "window" in info ? done(info) : refused(info);
      }),
    closed: new Set(),
    createAccount: ({ key }) =>
      call("createAccount", "", async () => {
        if (!accounts.has(key)) accounts.set(key, `https://ca.test/account/${++accountsMade}`);
        return accountOf(key);
      }),
    findAccount: (key) => call("findAccount", "", async () => accountOf(key)),
    accountState: (account) =>
      call("accountState", "", async () => {
        const found = accountAt(account);
        return found.ok ? done({ status: "valid", contact: ["mailto:admin@ca.test"] }) : found;
      }),
    changeKey: (account, newKey) =>
      call("changeKey", "", async () => {
        const found = accountAt(account);
        if (!found.ok) return found;
        accounts.delete(account.key);
        accounts.set(newKey, found.value.url);
        return accountOf(newKey);
      }),
    newOrder: (account, { names: [name], replaces, profile }) =>
      call(profile === undefined ? "newOrder" : `newOrder(${profile})`, name, async () => {
        const found = accountAt(account);
        if (!found.ok) return found;
        const kept: Kept = {
          number: orders.length,
          name,
          at: clock.now(),
          proof: isReused(name) ? "valid" : "pending",
          ...(replaces === undefined ? {} : { replaces }),
          ...(authority.orderMs === undefined
            ? {}
            : { expiresAt: clock.now() + authority.orderMs }),
        };
        orders.push(kept);
        return done(orderOf(kept));
      }),
    order: (_account, url) =>
      call("order", at(url).name, async () => {
        await validated(at(url));
        return done(orderOf(at(url)));
      }),
    authorization: (_account, url) =>
      call("authorization", at(url).name, async () => {
        await validated(at(url));
        return done(authorizationOf(at(url)));
      }),
    respond: (_account, challenge) =>
      call("answer", at(challenge.url).name, async () => {
        const kept = at(challenge.url);
        countLate(kept);
        if (kept.proof === "pending") kept.proof = "asked";
        kept.answered = challenge.type === "tls-alpn-01" ? "tls-alpn-01" : "http-01";
        return done({ ...challenge, status: "processing" });
      }),
    deactivate: (_account, url) =>
      call("deactivate", at(url).name, async () => {
        at(url).proof = "deactivated";
        return done(undefined);
      }),
    finalize: (account, order, csr, signal) =>
      call("finalize", at(order.url).name, async () => {
        countLate(at(order.url));
        // A repeated call returns the current state, as the port requires.
        if (at(order.url).certificateUrl !== undefined) return done(orderOf(at(order.url)));
        const url = `internal:order/${at(order.url).name}`;
        const made = await issuer.finalize(account, { ...order, url }, csr, signal);
        if (!made.ok) return made;
        if (made.value.status !== "valid") throw new Error("not issued");
        at(order.url).certificateUrl = made.value.certificateUrl;
        const finalized = orderOf(at(order.url));
        return done(authority.processing ? { ...finalized, status: "processing" } : finalized);
      }),
    download: (account, url, signal) =>
      call("download", "", async () => {
        const leaf = await issuer.download(account, url, signal);
        return leaf.ok ? done(authority.sent(leaf.value + root.certificate)) : leaf;
      }),
    revoke: (by, pem, reason) =>
      call("revoke", "", async () => {
        if ("url" in by && authority.closed.has(by.url)) return refused(accountClosed);
        authority.revoked.push({ pem, reason, by: "url" in by ? "account" : "key" });
        return done(undefined);
      }),
  };
  return authority;
}
