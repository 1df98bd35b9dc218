import { isIP } from "node:net";

import { parseServerAddress, type ServerAddress } from "../domains/index.ts";
import { done, refused } from "../lib/base/result.ts";
import { isDomain } from "./endpoint.ts";
import { quoted, type Parse } from "./values.ts";

/** CAs that have a name here. */
export const caNames = ["letsencrypt", "letsencrypt-staging", "internal"] as const;

const DIRECTORIES: Readonly<Record<string, string>> = {
  letsencrypt: "https://acme-v02.api.letsencrypt.org/directory",
  "letsencrypt-staging": "https://acme-staging-v02.api.letsencrypt.org/directory",
};

/** Address of the directory of a CA, by its name or its own address; undefined for the internal one, which has none. */
export function directoryOf(acme: string): string | undefined {
  return acme === "internal" ? undefined : (DIRECTORIES[acme] ?? acme);
}

/** A name of `caNames`, or an address over https (RFC 8555 §6.1). */
export const caOf: Parse<string> = (written) => {
  if (written.includes(",")) return refused("takes one CA: a second one is not in this version");
  if (caNames.some((name) => name === written)) return done(written);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url?.protocol === "https:" && url.username === "") return done(url.href);
  return refused(
    `must be one of ${caNames.join(", ")}, or the address of an ACME directory (https://…), not ${quoted(written)}`,
  );
};

/** An address, with a port unless it is 53. */
export const dnsServer: Parse<ServerAddress> = (written) => {
  const server = parseServerAddress(written);
  return server === undefined
    ? refused(
        `must be addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353, not ${quoted(written)}`,
      )
    : done(server);
};

export const ipAddress: Parse<string> = (written) =>
  isIP(written) === 0
    ? refused(`must be addresses such as 192.0.2.1 or 2001:db8::1, not ${quoted(written)}`)
    : done(written.toLowerCase());

/** As it stands in CAA records (RFC 8659 §4.2). */
export const issuerName: Parse<string> = (written) =>
  isDomain(written)
    ? done(written.toLowerCase())
    : refused(`must be domains such as letsencrypt.org, not ${quoted(written)}`);

export const email: Parse<string> = (written) =>
  /^[^\s@?,]{1,64}@[^\s@?,]{1,190}$/.test(written)
    ? done(written)
    : refused(`must be an email address, not ${quoted(written)}`);

export const flagText: Parse<boolean> = (written) => {
  if (written === "true" || written === "1") return done(true);
  if (written === "false" || written === "0") return done(false);
  return refused(`must be true or false, not ${quoted(written)}`);
};
