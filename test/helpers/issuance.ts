import { createCsr } from "../../domains/acme/csr.ts";
import { challengeCertificate } from "../../domains/acme/challenge-certificate.ts";
import { createPrivateKeyPem, dnsProof } from "../../domains/acme/keys.ts";
import type {
  Account,
  Authorization,
  CertificateAuthority,
  Challenge,
  ChallengeType,
  Order,
} from "../../domains/ports/authority.ts";
import { systemRandom } from "../../lib/base/id.ts";
import type { Result } from "../../lib/base/result.ts";
import type { ChallengeServers } from "./challenge-servers.ts";
import type { Pebble } from "./pebble.ts";

/** The value of what must have gone well. */
export function granted<Value>(result: Result<Value, unknown>): Value {
  if (result.ok) return result.value;
  throw new Error(`refused: ${JSON.stringify(result.failure)}`);
}

/** A signal that nobody aborts. */
export const noAbort: AbortSignal = new AbortController().signal;

export async function newAccount(authority: CertificateAuthority): Promise<Account> {
  const key = await createPrivateKeyPem();
  return granted(await authority.createAccount({ key }, noAbort));
}

/** One certificate by the plain way, as an impatient caller goes it. */
export async function issue(
  authority: CertificateAuthority,
  account: Account,
  names: readonly [string, ...string[]],
  prove?: (authorization: Authorization) => Promise<void>,
): Promise<{ readonly pem: string; readonly key: string; readonly order: Order }> {
  const ordered = granted(await authority.newOrder(account, { names }, noAbort));
  for (const url of ordered.authorizationUrls) {
    const authorization = granted(await authority.authorization(account, url, noAbort));
    if (authorization.status === "pending") await prove?.(authorization);
  }
  const ready = await settled(() => authority.order(account, ordered.url, noAbort), ["pending"]);
  const key = await createPrivateKeyPem();
  const finalized = granted(
    await authority.finalize(account, ready, createCsr(names, key), noAbort),
  );
  const order =
    finalized.status === "processing"
      ? await settled(() => authority.order(account, ordered.url, noAbort), ["processing"])
      : finalized;
  if (order.status !== "valid") throw new Error(`the order is ${JSON.stringify(order)}`);
  return {
    pem: granted(await authority.download(account, order.certificateUrl, noAbort)),
    key,
    order,
  };
}

/** Proves a name over servers that the CA looks at, and waits until it did. */
export function proveBy(
  type: ChallengeType,
  authority: CertificateAuthority,
  account: Account,
  servers: ChallengeServers,
): (authorization: Authorization) => Promise<void> {
  return async (authorization) => {
    const challenge = challengeOf(authorization, type);
    await present(challenge, authorization.name, servers);
    granted(await authority.answer(account, challenge, noAbort));
    await settled(() => authority.authorization(account, authorization.url, noAbort), ["pending"]);
  };
}

export function challengeOf(authorization: Authorization, type: ChallengeType): Challenge {
  const offered = authorization.status === "pending" ? authorization.challenges : [];
  const found = offered.find((one) => one.type === type);
  if (found === undefined) throw new Error(`no ${type} in ${JSON.stringify(authorization)}`);
  return found;
}

/** Puts the proof where the CA looks: over the servers, or for dns-01 into its own DNS. */
export async function present(
  { type, token, keyAuthorization }: Challenge,
  name: string,
  { files, certificates }: ChallengeServers,
  pebble?: Pebble,
): Promise<void> {
  if (type === "dns-01") {
    await pebble?.dns("set-txt", {
      host: `_acme-challenge.${name}.`,
      value: dnsProof(keyAuthorization),
    });
  }
  if (type === "http-01") files.set(token, keyAuthorization);
  if (type !== "tls-alpn-01") return;
  const key = await createPrivateKeyPem();
  const options = { privateKeyPem: key, now: Date.now(), random: systemRandom };
  certificates.set(name, { cert: challengeCertificate(name, keyAuthorization, options), key });
}

/** Asks until the status is none of `passing`, at most 60 s. */
export async function settled<Subject extends { readonly status: string }>(
  ask: () => Promise<Result<Subject, unknown>>,
  passing: readonly Subject["status"][],
): Promise<Subject> {
  const until = Date.now() + 60_000;
  for (;;) {
    const subject = granted(await ask());
    if (!passing.includes(subject.status) || Date.now() > until) return subject;
    await Bun.sleep(20);
  }
}
