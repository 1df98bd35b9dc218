import { readFile } from "node:fs/promises";

import { serversInResolvConf, type ServerAddress } from "../domains/index.ts";

/** What a system without a list of resolvers asks (resolv.conf(5)). */
const OWN_MACHINE: ServerAddress = { address: "127.0.0.1", port: 53 };

/** Whom to ask about domains: those who were named, else those of the system. */
export async function resolversOf(
  named: readonly ServerAddress[] | undefined,
  readText: (path: string) => Promise<string> = (path) => readFile(path, "utf8"),
): Promise<readonly [ServerAddress, ...ServerAddress[]]> {
  // A system without the file has no list.
  const text = named === undefined ? await readText("/etc/resolv.conf").catch(() => "") : "";
  const [first = OWN_MACHINE, ...others] = named ?? serversInResolvConf(text);
  return [first, ...others];
}
