import type { Account, CertificateAuthority } from "../../../domains/ports/authority.ts";
import type { Clock } from "../../../lib/base/clock.ts";
import { startChallengeServers, type ChallengeServers } from "../challenge-servers.ts";
import { newAccount } from "../issuance.ts";
import { pebbleAuthority } from "../pebble-authority.ts";
import { startPebble, type PebbleOptions } from "../pebble.ts";
import { startFaultCa, type FaultCa } from "./fault-ca.ts";

/** A Pebble with fault injection, and the servers that it validates. */
export interface FaultStand extends AsyncDisposable {
  readonly ca: FaultCa;
  readonly servers: ChallengeServers;
  /** Returns a client with the directory and an account; faults and records start afterwards. */
  ready(options?: StandOptions): Promise<Ready>;
}

interface StandOptions {
  readonly clock?: Clock;
}

export interface Ready {
  readonly authority: CertificateAuthority;
  readonly account: Account;
}

/** Does not refuse nonces by default, so that faults come only from rules. */
export async function startFaultStand(
  options: Omit<PebbleOptions, "httpPort" | "tlsPort"> = {},
): Promise<FaultStand> {
  const servers = await startChallengeServers();
  const { httpPort, tlsPort } = servers;
  const pebble = await startPebble({ refusedNonces: 0, ...options, httpPort, tlsPort });
  const ca = await startFaultCa(pebble);
  return {
    ca,
    servers,
    ready: async (standOptions = {}) => {
      ca.clear();
      const authority = pebbleAuthority(ca, standOptions);
      const account = await newAccount(authority);
      ca.clear();
      return { authority, account };
    },
    [Symbol.asyncDispose]: async () => {
      await ca[Symbol.asyncDispose]();
      await pebble[Symbol.asyncDispose]();
      await servers[Symbol.asyncDispose]();
    },
  };
}
