import { isIP } from "node:net";

import { isPublicAddress } from "../domains/index.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import { quoted } from "./values.ts";

/** Returns whether the text is a host name of letters, digits and hyphens (RFC 1123 §2.1), and not like an IP address. */
export function isDomain(written: string): boolean {
  const labels = written.split(".");
  return (
    written.length <= 253 &&
    labels.every((label) => /^(?!-)[\da-z_-]{1,63}(?<!-)$/i.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  );
}

/** Returns whether the base domain has no DNS, so that any host name reaches Production. */
export function isLocal(baseDomain: string): boolean {
  return baseDomain === "localhost" || isIP(baseDomain) !== 0;
}

/** Returns whether a service with that base domain cannot be reached from outside its network: a laptop, or a test. */
export function isUnreachable(baseDomain: string): boolean {
  return isLocal(baseDomain) && !isPublicAddress(baseDomain);
}

/** Returns a domain or an IP, in lower case. */
export function domain(written: string): Result<string, string> {
  const name = written.toLowerCase().replace(/\.$/, "");
  return isIP(name) !== 0 || isDomain(name)
    ? done(name)
    : refused(`must be a domain such as pets.example.org or an IP, not ${quoted(written)}`);
}

/** Returns a domain that can have subdomains, in lower case. */
export function zone(written: string): Result<string, string> {
  const name = domain(written);
  return name.ok && isIP(name.value) !== 0
    ? refused("must be a domain: an IP has no subdomains")
    : name;
}

/** With the 32 characters and the dot that precede it, a name has at most 253 (RFC 1035 §2.3.4). */
const MAX_TARGET_ZONE = 220;

/** Returns a domain below which custom domains get names. */
export function targetZone(written: string): Result<string, string> {
  const name = zone(written);
  return name.ok && name.value.length > MAX_TARGET_ZONE
    ? refused(`must be at most ${MAX_TARGET_ZONE} characters long`)
    : name;
}
