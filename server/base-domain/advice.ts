import { isIPv6 } from "node:net";

import type {
  BaseDomainCheckId,
  BaseDomainOption,
  BaseDomainRecord,
} from "../../lib/management/index.ts";
import { environmentName, options, type Settings } from "../../settings/options.ts";
import type { Candidate } from "./candidate.ts";

const TTL_SECONDS = 3_600;

/** The records that a name needs; none where it has no DNS. */
export function recordsFor(asked: Candidate): readonly BaseDomainRecord[] {
  const { local, shown, addresses } = asked;
  if (local) return [];
  const names: readonly (readonly [BaseDomainCheckId, string])[] = [
    ["address", shown.address],
    // A wildcard beside it covers Staging too.
    ...(shown.wildcard === `*.${shown.address}` ? [] : [["staging", shown.staging] as const]),
    ["wildcard", shown.wildcard],
    ["targets", shown.targets],
  ];
  return names.flatMap(([check, name]) =>
    (addresses.length === 0 ? [null] : addresses).map((value): BaseDomainRecord => ({
      type: value !== null && isIPv6(value) ? "AAAA" : "A",
      name,
      value,
      ttl: TTL_SECONDS,
      check,
    })),
  );
}

/** What is to be changed in the options for it, and nothing that is as it should be. */
export function optionsFor(asked: Candidate, settings: Settings): readonly BaseDomainOption[] {
  const { name, present, local, secure, toldBy, addresses } = asked;
  const { listen, publicHttpPort } = settings;
  const needed: [keyof Settings, string][] = [];
  if (!present) needed.push(["baseDomain", name]);
  if (!local && !secure) {
    if (listen.port !== HTTP_PORT && publicHttpPort !== HTTP_PORT) needed.push(["listen", ":80"]);
    needed.push(["listenHttps", ":443"]);
  }
  if (!local && toldBy === "machine") needed.push(["edgeAddresses", addresses.join(",")]);
  return needed.map(([key, value]) => {
    const option = options[key].name;
    return { name: option, environment: environmentName(option), value };
  });
}

const HTTP_PORT = 80;
