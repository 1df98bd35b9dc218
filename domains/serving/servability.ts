import { setImmediate } from "node:timers/promises";

import type { Clock } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/base/log.ts";
import { createRounds, type Jobs } from "../../lib/base/rounds.ts";
import { damageIn } from "../acme/inspect.ts";
import type { Presented } from "../ports/certificates.ts";
import type { LoadCertificate } from "./presented.ts";
import type { RouteTable, ServedCertificate } from "./routes.ts";
import { SealBroken } from "../storage/seal.ts";
import { credentialOf } from "../tls/credentials.ts";

export interface ServabilityOptions {
  readonly routes: Pick<RouteTable, "onCertificate" | "certificateOf" | "servedBy">;
  readonly load: LoadCertificate;
  /** Called once for each certificate that this process cannot present. */
  readonly report: (served: ServedCertificate, message: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Servability extends Jobs {
  /** Looks at the certificate of a host again: it failed to load, or what was loaded is damaged. */
  doubt(host: string): void;
}

/** The hosts of a round. At most 400 are checked a second: 24,000 within the first minute, in an eighth of one core. */
const A_ROUND = 100;
/** Certificates that are remembered as reported, so that each is logged once. */
const MAX_REPORTED = 10_000;

/**
 * Builds the TLS context of every certificate that this process starts to serve, once: after the start those of all
 * hosts, later those that it or another process puts into service. A certificate never changes, so one look is enough,
 * unless a handshake finds that the row has been damaged since.
 */
export function servabilityJobs({
  routes,
  load,
  report,
  clock,
  log,
}: ServabilityOptions): Servability {
  const waiting = new Map<string, ServedCertificate>();
  routes.onCertificate((served) => waiting.set(served.host, served));
  // Visitors' handshakes doubt a damaged certificate until it is replaced.
  const reported = new Set<string>();
  // With another encryption key no certificate can be opened. Then it is this process that cannot serve.
  let hasRightKey = false;

  const faultOf = async ({ host, certificateId }: ServedCertificate) => {
    try {
      const presented = await load(certificateId);
      if (presented === undefined) return "The certificate is missing from the database.";
      hasRightKey = true;
      return faultOfPresented(host, presented);
    } catch (error) {
      if (error instanceof SealBroken && hasRightKey) return "The private key cannot be decrypted.";
      throw error;
    }
  };

  const examine = async (served: ServedCertificate): Promise<void> => {
    const { host, certificateId } = served;
    const fault = await faultOf(served);
    // It may have been replaced or removed meanwhile.
    if (fault === undefined || routes.certificateOf(host) !== certificateId) return;
    log.error("a certificate cannot be served", fault, { name: host });
    await report(served, fault);
    if (reported.size >= MAX_REPORTED) reported.clear();
    reported.add(certificateId);
  };

  const examineSome = async (): Promise<void> => {
    for (const [host, served] of [...waiting].slice(0, A_ROUND)) {
      waiting.delete(host);
      try {
        await examine(served);
        // Requests come between two certificates, also if the store answers synchronously.
        await setImmediate();
      } catch (error) {
        // Again after all others, unless the host has another certificate by then.
        if (!waiting.has(host)) waiting.set(host, served);
        throw error;
      }
    }
  };

  return {
    ...createRounds({
      clock,
      log,
      errands: [{ what: "checking that certificates can be served", run: examineSome }],
    }),
    doubt: (host) => {
      const served = routes.servedBy(host);
      if (served === undefined || reported.has(served.certificateId)) return;
      waiting.set(host, served);
    },
  };
}

function faultOfPresented(host: string, presented: Presented): string | undefined {
  const damage = damageIn(presented.chainPem);
  if (damage !== undefined) return `The stored certificate chain is damaged: ${damage}.`;
  try {
    return credentialOf(presented).covers(host)
      ? undefined
      : `The stored certificate is not for ${host}.`;
  } catch {
    // The library's message names its source files.
    return "The stored certificate and its key cannot be loaded for TLS.";
  }
}
