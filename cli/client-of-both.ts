import type { LocalClient } from "../lib/index.ts";
import type { Petstores } from "./composition.ts";

/**
 * The client of two petstores over one store, in one process. Each counts the violations of its own keys, so whoever
 * lifts a ban must reach the one that the key works in.
 */
export function clientOfBoth({ production, staging }: Petstores): LocalClient {
  const { client } = production;
  return {
    ...client,
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
