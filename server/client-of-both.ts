import {
  forActors,
  type Actor,
  type Environment,
  type ForActors,
  type LocalClient,
  type Petstore,
} from "../lib/index.ts";

/** The petstores of an installation. */
export type Petstores = Readonly<Record<Environment, Petstore>>;

/**
 * Returns the client of two petstores over one store. Each petstore counts the requests and violations of its own keys,
 * so `limits.read` and `keys.unban` go to the petstore of the key.
 */
export function clientOfBoth({ production, staging }: Petstores): ForActors<LocalClient> {
  const clientOf = (actor: Actor): LocalClient => {
    const client = production.client.as(actor);
    const other = staging.client.as(actor);
    return {
      ...client,
      limits: {
        read: (input) => (input.environment === "staging" ? other : client).limits.read(input),
      },
      keys: {
        ...client.keys,
        unban: async (keyId) => {
          const lifted = await other.keys.unban(keyId);
          // The second call changes only what this petstore remembers.
          return lifted.ok ? client.keys.unban(keyId) : lifted;
        },
      },
    };
  };
  return forActors(clientOf);
}
