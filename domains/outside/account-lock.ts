import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { caaAtServers, lookupCaa } from "../dns/caa.ts";
import type { Vantages } from "../dns/vantages.ts";
import { jointPermission, lockOf, ownHostPermission, permissionAt } from "../model/caa-lock.ts";
import type { Issuer } from "../model/verification.ts";
import type { AccountLock } from "../ports/account-lock.ts";

/** A name that only the wildcard of the targets' zone answers for. */
const PROBE = "petstore-caa-probe";
const BUDGET_MS: number = 10 * SECOND_MS;

/** Reads the CAA records of the names that custom domains point to, and of our own hosts. */
export function createAccountLock({
  vantages,
  issuers,
  cnameTarget,
  ownHosts,
  clock,
}: {
  readonly vantages: Vantages;
  readonly issuers: () => Promise<readonly Issuer[]>;
  readonly cnameTarget: string;
  readonly ownHosts: readonly string[];
  readonly clock: Clock;
}): AccountLock {
  const requestFor = async (authority: string, accountUri: string) => {
    const issuer = (await issuers()).find(({ id }) => id === authority);
    return issuer?.caa === undefined ? undefined : { ...issuer.caa, accountUri };
  };
  return {
    recordFor: async (authority, accountUri) => {
      const request = await requestFor(authority, accountUri);
      const lock = request && lockOf(authority, request);
      return lock && `*.${cnameTarget}. CAA ${lock.record}`;
    },
    permits: async (authority, accountUri, signal) => {
      const request = await requestFor(authority, accountUri);
      // The internal CA ignores CAA.
      if (request === undefined) return jointPermission([]);
      if (request.identities.length === 0) return { kind: "unknown" };
      const within = { deadlineAt: clock.now() + BUDGET_MS, signal };
      const [targets, ...own] = await Promise.all([
        caaAtServers(`${PROBE}.${cnameTarget}`, { ...vantages, clock }, within),
        ...ownHosts.map((host) => lookupCaa(host, { ...vantages, clock }, within)),
      ]);
      return jointPermission([
        permissionAt(targets, request),
        ...own.flatMap(({ caa, caaBehind }) =>
          [caa, ...caaBehind.map(({ lookup }) => lookup)].map((one) =>
            ownHostPermission(one, request),
          ),
        ),
      ]);
    },
  };
}
