import { addresses } from "./checks/addresses.ts";
import { bodies } from "./checks/bodies.ts";
import { connections } from "./checks/connections.ts";
import { headers } from "./checks/headers.ts";
import { resources } from "./checks/resources.ts";
import { placeAt, type Check, type Place } from "./check.ts";
import { roles, type Host, type Role } from "./host.ts";
import type { Running } from "./running.ts";

/** The requirements for every host, in the order of the table. The last ends the host. */
export const checks: readonly Check[] = [
  ...resources,
  ...bodies,
  ...addresses,
  ...headers,
  ...connections,
];

/** Returns the roles of a host at which a check runs. */
export function rolesFor({ at = roles, routes }: Check, host: Host): readonly Role[] {
  const { mounts } = host;
  if (routes === true && !host.routes) return [];
  return at.filter((role) => mounts[role] !== undefined);
}

/** Runs a check at every mount of a host that it is about. Rejects with the mount's role. */
export async function runCheck(check: Check, host: Host, running: Running): Promise<void> {
  for (const role of rolesFor(check, host)) {
    await runAt(check, await placeAt(host, running, { role }));
  }
}

export async function runAt(check: Check, place: Place): Promise<void> {
  try {
    await check.run(place);
  } catch (error) {
    const { role, running } = place;
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(`at the mount "${role}": ${text}\n${running.output().slice(-2_000)}`, {
      cause: error,
    });
  }
}
