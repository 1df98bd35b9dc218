import { caaAtServers } from "../../domains/dns/caa.ts";
import { issuersOf } from "../../domains/index.ts";
import { recordsOf } from "../../domains/model/answer.ts";
import { judgeLock, lockOf, permissionAt } from "../../domains/model/caa-lock.ts";
import { publicAuthorities } from "../authority.ts";
import { WILDCARD_PROBE } from "../base-domain/candidate.ts";
import { PATIENCE_MS, vantagesOf } from "../resolvers.ts";
import { isLocal } from "../../settings/domain-names.ts";
import { cnameTarget } from "../../settings/public-address.ts";
import { fail, ok, skip, warn, type Check, type Subject } from "./check.ts";

/**
 * Checks the CAA records of the names that custom domains point to by CNAME: a CA follows the CNAME, so a record there
 * allows only our account for all these domains (RFC 8659 §3, RFC 8657).
 */
export const targetsAreLocked: Check = async (subject) => {
  const { settings, runtime } = subject;
  const { listenHttps, baseDomain } = settings;
  if (listenHttps === "off") return skip("https_off", {});
  if (isLocal(baseDomain)) return skip("caa_lock_unneeded", {});
  const cas = await publicAuthorities(settings, runtime);
  if (cas.length === 0) return skip("caa_lock_unneeded", {});
  const { clock } = runtime;
  const accounts = await accountsIn(subject);
  const issuers = await issuersOf({
    authorities: cas,
    store: { accounts: { of: (id) => accounts.get(id) } },
    challenges: ["http-01", "tls-alpn-01"],
    clock,
  })();

  const domain = cnameTarget(settings);
  const { authorities } = await vantagesOf(subject);
  const within = { deadlineAt: clock.now() + 2 * PATIENCE_MS, signal: subject.signal };
  const seen = await caaAtServers(`${WILDCARD_PROBE}.${domain}`, { authorities, clock }, within);
  const bound = issuers.flatMap(({ id, caa }) =>
    caa === undefined ? [] : [{ id, caa, successorUri: accounts.get(id)?.successorUri }],
  );
  const locks = bound.flatMap(({ id, caa, successorUri }) => {
    const present = lockOf(id, caa);
    if (successorUri === undefined) return [present];
    return [present, lockOf(id, { ...caa, accountUri: successorUri })];
  });
  const known = locks.filter((lock) => lock !== undefined);
  if (seen.length === 0 || known.length < locks.length) return warn("caa_lock_unknown", { domain });

  const facts = {
    domain,
    records: known.map(({ record }) => `*.${domain}. CAA ${record}`),
    complete: known.every(({ complete }) => complete),
  };
  const [newest, ...older] = seen.map(({ servers, answer }) => ({
    servers,
    state: judgeLock(recordsOf(answer), bound),
  }));
  const state = newest?.state ?? { kind: "absent" };
  if (state.kind === "wrong") return fail("caa_lock_wrong", { ...facts, faults: state.faults });
  const behind = older.filter((group) => group.state.kind === "wrong");
  if (behind.length > 0) {
    return warn("caa_lock_behind", { ...facts, servers: behind.flatMap(({ servers }) => servers) });
  }
  const successors = bound.flatMap(({ id, caa, successorUri: accountUri }) =>
    accountUri === undefined ? [] : [{ id, caa: { ...caa, accountUri } }],
  );
  if (successors.length > 0) {
    const visible = successors.every(({ caa }) => permissionAt(seen, caa).kind === "allowed");
    const next = successors.flatMap(({ id, caa }) => lockOf(id, caa) ?? []);
    const records = next.map(({ record }) => `*.${domain}. CAA ${record}`);
    return (visible ? ok : warn)("caa_lock_pending", { domain, records, visible });
  }
  switch (state.kind) {
    case "absent":
      return ok("caa_lock_none", facts);
    case "locked":
      return ok("caa_lock_right", { domain });
    case "open":
      return ok("caa_lock_open", facts);
    default:
      return state satisfies never;
  }
};

/** Our account with a CA, and the one that is about to replace it. */
interface KnownAccount {
  readonly url: string;
  readonly successorUri?: string;
}

/** Returns the accounts by the ID of their CA, as far as the database has them. */
export async function accountsIn({
  database,
}: Pick<Subject, "database">): Promise<ReadonlyMap<string, KnownAccount>> {
  const { found, has, query } = await database();
  if (found !== "ours" || !(await has("authority_accounts"))) return new Map();
  const rows = await query("SELECT authority, url FROM authority_accounts WHERE url IS NOT NULL");
  // Missing before the first start of this version.
  const next = (await has("successor_accounts"))
    ? await query("SELECT authority, url FROM successor_accounts WHERE url IS NOT NULL")
    : [];
  const successors = new Map(next.map(({ authority, url }) => [String(authority), String(url)]));
  return new Map(
    rows.map(({ authority, url }) => {
      const successorUri = successors.get(String(authority));
      return [
        String(authority),
        { url: String(url), ...(successorUri !== undefined && { successorUri }) },
      ];
    }),
  );
}
