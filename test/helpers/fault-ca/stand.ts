import type { AcmeAuthorityOptions } from "../../../domains/acme/acme-authority.ts";
import type { Account, CertificateAuthority } from "../../../domains/ports/authority.ts";
import type { Clock } from "../../../lib/base/clock.ts";
import { startChallengeServers, type ChallengeServers } from "../challenge-servers.ts";
import { newAccount } from "../issuance.ts";
import { pebbleAuthority } from "../pebble-authority.ts";
import { startPebble, type PebbleOptions } from "../pebble.ts";
import { startFaultCa, type FaultCa } from "./fault-ca.ts";

/** A Pebble that breaks when it is told to, and what it looks at. */
export interface FaultStand extends AsyncDisposable {
  readonly ca: FaultCa;
  readonly servers: ChallengeServers;
  /** Our client in front of it, which knows the directory and has an account; then nothing is broken or seen. */
  ready(options?: StandOptions): Promise<Ready>;
}

type StandOptions = { readonly clock?: Clock } & Pick<
  Partial<AcmeAuthorityOptions>,
  "preferredIssuer"
>;

export interface Ready {
  readonly authority: CertificateAuthority;
  readonly account: Account;
}

/** Without refused nonces, unless `options` say otherwise: faults come by rule alone. */
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
