import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import type { DomainStore } from "../../../domains/ports/domain-store.ts";
import type { Leases } from "../../../domains/ports/leases.ts";
import type { World } from "./world.ts";

/** The end of a process. */
export class Crash extends Error {}

/** Returns a process that dies at its `commits`-th commit: before it is written, or right after. */
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
    commit: (changes, lasting) =>
      mortal(async () => {
        const under = lasting && { ...lasting, until: world.clock.now() + 1 };
        made++;
        if (made < commits) return world.domains.commit(changes, under);
        if (when === "after") await world.domains.commit(changes, under);
        dead = true;
        throw new Crash();
      }),
  };
  // What is dead releases nothing; its leases are short, so that nobody has to wait for them to end.
  const leases: Leases = {
    acquire: (name) => mortal(() => world.leases.acquire(name, 1)),
    release: async (lease) => {
      if (!dead) await world.leases.release(lease);
    },
  };
  return world.pipeline({ ...options, store, leases });
}
