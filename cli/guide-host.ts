import type { GuideHost } from "../dashboard/guides/host.ts";
import type { Servers } from "../lib/index.ts";
import { hostName, type Host } from "../lib/publishing/index.ts";

/** What is known of ourselves, for those who read of the API. */
export interface GuideHosts {
  /** Addresses as options tell them, `/v1` included. */
  readonly servers: Servers;
  /** Of the base domain. */
  readonly address: string;
  /** There is no DNS for the base domain: whoever calls us by another name reaches our other ports by that name as well. */
  readonly anyName: boolean;
}

/** What can stand in an address, a header and a page as it is. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]{1,300}$/;

/** What to tell of the API to a visitor who calls us `asked`: that very host answers for the environment that it serves. */
export function guideHost(
  { servers, address, anyName }: GuideHosts,
  kind: Host["kind"],
  asked: string | undefined,
): GuideHost {
  const known = kind === "staging" ? servers.staging.slice(0, -"/v1".length) : address;
  const origin = asked !== undefined && ORIGIN.test(asked) ? asked : known;
  const named = (other: string): string =>
    anyName && kind !== "project" ? withNameOf(origin, other) : other;
  const base = kind === "base";
  return {
    origin,
    production: kind === "staging" ? named(servers.production) : `${origin}/v1`,
    staging: kind === "staging" ? `${origin}/v1` : named(servers.staging),
    help: base ? "" : named(address),
    dashboard: base,
  };
}

/** `other` by the name of `origin`, at its own port; names that lie below `localhost` keep theirs. */
function withNameOf(origin: string, other: string): string {
  const authority = origin.slice(origin.indexOf("//") + 2);
  const name = hostName(authority);
  if (name.endsWith("localhost")) return other;
  return other.replace(/(?<=:\/\/)(?:\[[^\]]*\]|[^:/]+)/, name.includes(":") ? `[${name}]` : name);
}
