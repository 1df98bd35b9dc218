import { countedCache } from "../lib/base/cache.ts";
import type { Clock } from "../lib/base/clock.ts";
import type { Random } from "../lib/base/id.ts";
import { challengeCertificate } from "./acme/challenge-certificate.ts";
import { createPrivateKeyPem } from "./acme/keys.ts";
import { certificateIdentity } from "./pipeline/activate.ts";
import type { CertificateFor, ChallengeAnswers, Presented } from "./ports/certificates.ts";
import type { DomainStore } from "./ports/domain-store.ts";
import type { RouteTable } from "./routes.ts";
import type { Seal } from "./seal.ts";

export interface PresentedOptions {
  readonly store: DomainStore;
  readonly routes: Pick<RouteTable, "certificateOf">;
  readonly seal: Seal;
  /** How many are kept unsealed in memory, about 6 KB each. Default 2,000. */
  readonly keep?: number;
}

/**
 * The certificates of custom domains, by name. A name that was asked for lately is answered at once, another one costs
 * one read by its id, shared by those who ask meanwhile; one that is not served costs nothing.
 */
export function certificatesOf({
  store,
  routes,
  seal,
  keep = 2_000,
}: PresentedOptions): CertificateFor {
  const kept = countedCache<Presented>(keep, () => {});
  const reading = new Map<string, Promise<Presented | undefined>>();

  const read = async (id: string): Promise<Presented | undefined> => {
    const found = await store.certificates.byId(id);
    // It was replaced in this very moment; whoever asks again finds the new one.
    if (found === undefined) return undefined;
    const { chainPem, sealedKey, notAfter } = found;
    const privateKeyPem = seal.open(sealedKey, certificateIdentity(id));
    const presented = { id, chainPem, privateKeyPem, notAfter };
    kept.set(id, presented);
    return presented;
  };

  return (serverName) => {
    const id = routes.certificateOf(serverName);
    if (id === undefined) return undefined;
    const known = kept.get(id) ?? reading.get(id);
    if (known !== undefined) return known;
    const begun = read(id).finally(() => {
      reading.delete(id);
    });
    reading.set(id, begun);
    return begun;
  };
}

/** A token is base64url, and a stranger chooses what he asks for. */
const TOKEN = /^[\w-]{1,256}$/;

/** So many challenge certificates are kept: a CA looks from several places at once. */
const KEPT_CHALLENGES = 100;

/** Names that strangers make up are looked for together, so often at most. */
const LOOK_EVERY_MS = 100;
/** With more open at a time each name is looked for. */
const MAX_OPEN = 10_000;

/** Tells whether a name can have a challenge open: never a query for each name that somebody asks for. */
function openNames({
  store,
  clock,
}: {
  readonly store: Pick<DomainStore, "challenges">;
  readonly clock: Clock;
}): (name: string) => Promise<boolean> {
  let lookedAt = -Infinity;
  let last: ReadonlySet<string> = new Set();
  let next: Promise<ReadonlySet<string>> | undefined;

  const look = async (): Promise<ReadonlySet<string>> => {
    // No longer than the interval, also when the clock was put back since.
    const early = Math.min(LOOK_EVERY_MS, lookedAt + LOOK_EVERY_MS - clock.now());
    await (early > 0 ? clock.sleep(early) : Promise.resolve());
    // Whoever comes from now on waits for the next one: what is opened meanwhile may not be in this one.
    next = undefined;
    lookedAt = clock.now();
    last = new Set(await store.challenges.tlsAlpn01Names(lookedAt, MAX_OPEN));
    return last;
  };

  return async (name) => {
    const isIn = (names: ReadonlySet<string>): boolean => names.has(name) || names.size >= MAX_OPEN;
    return isIn(last) || isIn(await (next ??= look()));
  };
}

/** Answers challenges that any process has opened, from the store. */
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
      const chainPem = challengeCertificate(serverName, keyAuthorization, options);
      const presented = { id, chainPem, privateKeyPem, notAfter: expiresAt };
      made.set(id, presented);
      return presented;
    },
  };
}
