import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import type { DomainStore } from "../../../domains/ports/domain-store.ts";
import type { Leases } from "../../../domains/ports/leases.ts";
import type { World } from "./world.ts";

/** A simulated crash. */
export class Crash extends Error {}

/** Simulates a process that crashes at its `commits`-th commit: before or right after it is written. */
export function dyingAt(
  world: World,
  commits: number,
  when: "before" | "after",
  options: Parameters<World["pipeline"]>[0] = {},
): Pipeline {
  let made = 0;
  let dead = false;
  const mortal = <Value>(act: () => Promise<Value>): Promise<Value> => {
    if (dead) throw new Crash();
    return act();
  };
  const store: DomainStore = {
    ...world.domains,
    commit: (changes, actor, lasting) =>
      mortal(async () => {
        const under = lasting && { ...lasting, ttlMs: 1 };
        made++;
        if (made < commits) return world.domains.commit(changes, actor, under);
        if (when === "after") await world.domains.commit(changes, actor, under);
        dead = true;
        throw new Crash();
      }),
  };
  // A crashed process releases nothing; its leases are short, so that tests do not wait for them.
  const leases: Leases = {
    acquire: (name, ttlMs) =>
      mortal(async () => {
        const lease = await world.leases.acquire(name, 1);
        return lease && { ...lease, expiresAt: lease.expiresAt + ttlMs };
      }),
    release: async (lease) => {
      if (!dead) await world.leases.release(lease);
    },
  };
  return world.pipeline({ ...options, store, leases });
}
