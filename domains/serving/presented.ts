import { countedCache } from "../../lib/base/counted-cache.ts";
import type { Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import { challengeCertificate } from "../acme/challenge-certificate.ts";
import { damageIn } from "../acme/inspect.ts";
import { createPrivateKeyPem } from "../acme/keys.ts";
import { certificateIdentity } from "../pipeline/activate.ts";
import type { CertificateFor, ChallengeAnswers, Presented } from "../ports/certificates.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import type { RouteTable } from "./routes.ts";
import type { Seal } from "../storage/seal.ts";

export interface PresentedOptions {
  readonly store: DomainStore;
  readonly routes: Pick<RouteTable, "certificateOf">;
  readonly seal: Seal;
  /** Default: nothing. */
  readonly doubt?: (host: string) => void;
}

/** Reads and decrypts a certificate; undefined if the store has none with that id. */
export type LoadCertificate = (id: string) => Promise<Presented | undefined>;

export function certificateLoader({
  store,
  seal,
}: Pick<PresentedOptions, "store" | "seal">): LoadCertificate {
  return async (id) => {
    const found = await store.certificates.byId(id);
    if (found === undefined) return undefined;
    const { chainPem, sealedKey, notAfter } = found;
    return { id, chainPem, privateKeyPem: seal.open(sealedKey, certificateIdentity(id)), notAfter };
  };
}

/**
 * Finds the certificates of served hosts. Loading one costs one read by its id; TLS fronts cache what they load. Calls
 * `doubt` with a host whose certificate cannot be loaded, or is damaged.
 */
export function certificatesOf({
  store,
  routes,
  seal,
  doubt = () => undefined,
}: PresentedOptions): CertificateFor {
  const read = certificateLoader({ store, seal });
  const load = async (host: string, id: string): Promise<Presented | undefined> => {
    const presented = await read(id).catch((error: unknown) => {
      doubt(host);
      throw error;
    });
    if (presented === undefined || damageIn(presented.chainPem) !== undefined) doubt(host);
    return presented;
  };
  return (serverName) => {
    const id = routes.certificateOf(serverName);
    return id === undefined ? undefined : { id, load: () => load(serverName, id) };
  };
}

/** Tokens are base64url. The caller chooses the token. */
const TOKEN = /^[\w-]{1,256}$/;

/** Challenge certificates cached: a CA validates from several places at once. */
const KEPT_CHALLENGES = 100;

/** Minimum interval between queries for open challenges, whatever names clients send. */
const READ_EVERY_MS = 100;
/** With more open challenges, each name costs a query. */
const MAX_OPEN = 10_000;

/** Returns a check whether a name may have an open challenge, without a query per name. */
function openNames({
  store,
  clock,
}: {
  readonly store: Pick<DomainStore, "challenges">;
  readonly clock: Clock;
}): (name: string) => Promise<boolean> {
  let readAt = -Infinity;
  let last: ReadonlySet<string> = new Set();
  let next: Promise<ReadonlySet<string>> | undefined;

  const readPresented = async (): Promise<ReadonlySet<string>> => {
    // Never longer than the interval, even if the clock was set back.
    const early = Math.min(READ_EVERY_MS, readAt + READ_EVERY_MS - clock.now());
    await (early > 0 ? clock.sleep(early) : Promise.resolve());
    // Later callers wait for the next query: this one may miss challenges opened from now on.
    next = undefined;
    readAt = clock.now();
    last = new Set(await store.challenges.tlsAlpn01Names(readAt, MAX_OPEN));
    return last;
  };

  return async (name) => {
    const isIn = (names: ReadonlySet<string>): boolean => names.has(name) || names.size >= MAX_OPEN;
    return isIn(last) || isIn(await (next ??= readPresented()));
  };
}

/** Answers challenges opened by any process, from the store. */
export function challengesOf({
  store,
  clock,
  random,
}: {
  readonly store: DomainStore;
  readonly clock: Clock;
  readonly random: Random;
}): ChallengeAnswers {
  const made = countedCache<Presented>(KEPT_CHALLENGES, () => {});
  const mayBeOpen = openNames({ store, clock });
  return {
    http01: async (host, token) => {
      if (!TOKEN.test(token)) return undefined;
      const open = await store.challenges.http01(host, token, clock.now());
      return open?.keyAuthorization;
    },
    tlsAlpn01: async (serverName) => {
      if (!(await mayBeOpen(serverName))) return undefined;
      const now = clock.now();
      const open = await store.challenges.tlsAlpn01(serverName, now);
      if (open === undefined) return undefined;
      const { token, keyAuthorization, expiresAt } = open;
      const id = `challenge ${serverName} ${token}`;
      const known = made.get(id);
      if (known !== undefined) return known;
      const privateKeyPem = await createPrivateKeyPem();
      const options = { privateKeyPem, now, random };
      const chainPem = await challengeCertificate(serverName, keyAuthorization, options);
      const presented = { id, chainPem, privateKeyPem, notAfter: expiresAt };
      made.set(id, presented);
      return presented;
    },
  };
}
