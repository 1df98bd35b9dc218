import { challengeCertificate } from "../../domains/acme/challenge-certificate.ts";
import { createPrivateKeyPem, sha256 } from "../../domains/acme/keys.ts";
import type {
  Account,
  Authorization,
  CertificateAuthority,
  Challenge,
  ChallengeType,
} from "../../domains/ports/authority.ts";
import { granted, noAbort, settled } from "../../testing/domains/issuance.ts";
import { systemRandom } from "../../lib/base/id.ts";
import type { ChallengeServers } from "./challenge-servers.ts";
import type { Pebble } from "./pebble.ts";

export { granted, issue, newAccount, noAbort, settled } from "../../testing/domains/issuance.ts";

/** Proves control of a name with the servers that the CA validates, and waits for the validation. */
export function proveBy(
  type: ChallengeType,
  authority: CertificateAuthority,
  account: Account,
  servers: ChallengeServers,
): (authorization: Authorization) => Promise<void> {
  return async (authorization) => {
    const challenge = challengeOf(authorization, type);
    await present(challenge, authorization.name, servers);
    granted(await authority.respond(account, challenge, noAbort));
    await settled(() => authority.authorization(account, authorization.url, noAbort), ["pending"]);
  };
}

export function challengeOf(authorization: Authorization, type: ChallengeType): Challenge {
  const offered = authorization.status === "pending" ? authorization.challenges : [];
  const found = offered.find((one) => one.type === type);
  if (found === undefined) throw new Error(`no ${type} in ${JSON.stringify(authorization)}`);
  return found;
}

/** Publishes the proof where the CA validates it: on the servers or, for dns-01, in its own DNS. */
export async function present(
  { type, token, keyAuthorization }: Challenge,
  name: string,
  { files, certificates }: ChallengeServers,
  pebble?: Pebble,
): Promise<void> {
  if (type === "dns-01") {
    await pebble?.dns("set-txt", {
      host: `_acme-challenge.${name}.`,
      // RFC 8555 §8.4
      value: sha256(Buffer.from(keyAuthorization)).toString("base64url"),
    });
  }
  if (type === "http-01") files.set(token, keyAuthorization);
  if (type !== "tls-alpn-01") return;
  const key = await createPrivateKeyPem();
  const options = { privateKeyPem: key, now: Date.now(), random: systemRandom };
  certificates.set(name, {
    cert: await challengeCertificate(name, keyAuthorization, options),
    key,
  });
}
