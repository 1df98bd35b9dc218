import type { LocalClient } from "../lib/index.ts";
import type { Petstores } from "./composition.ts";

/**
 * The client of two petstores over one store, in one process. Each counts the requests and violations of its own keys,
 * so whoever lifts a ban or looks at the limits must reach the one that the key works in.
 */
export function clientOfBoth({ production, staging }: Petstores): LocalClient {
  const { client } = production;
  return {
    ...client,
    limits: {
      read: (input) =>
        (input.environment === "staging" ? staging.client : client).limits.read(input),
    },
    keys: {
      ...client.keys,
      unban: async (keyId) => {
        const lifted = await staging.client.keys.unban(keyId);
        // A second time changes nothing but what this one remembers.
        return lifted.ok ? client.keys.unban(keyId) : lifted;
      },
    },
  };
}
