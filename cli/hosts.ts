import type { Environment } from "../lib/index.ts";
import { isLocal } from "./options.ts";

/** Which environment a host leads to; undefined for a host that is not ours. */
export type HostOf = (authority: string) => Environment | undefined;

const STAGING = "staging.";

/** Hosts of a listener. With a local base domain any name leads to `otherwise`; on a staging listener to Staging alone. */
export function hostsOf(baseDomain: string, listener: Environment): HostOf {
  const staging = `${STAGING}${baseDomain}`;
  const local = isLocal(baseDomain);
  const environmentOf: HostOf = (authority) => {
    const host = hostName(authority);
    if (host === staging) return "staging";
    return local || host === baseDomain ? listener : undefined;
  };
  // Most requests name the host that the one before them named.
  let known = "";
  let leadsTo = environmentOf(known);
  return (authority) => {
    if (authority !== known) {
      leadsTo = environmentOf(authority);
      known = authority;
    }
    return leadsTo;
  };
}

/** Without port, brackets and the dot of the root, in lower case. */
function hostName(authority: string): string {
  const end = authority.startsWith("[") ? authority.indexOf("]") : authority.lastIndexOf(":");
  const host = authority.startsWith("[")
    ? authority.slice(1, end)
    : authority.slice(0, end === -1 ? undefined : end);
  const lower = host.toLowerCase();
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}
