import { expect } from "bun:test";

import type { Eventual } from "../../lib/base/eventual.ts";
import { createPetstore, type EventOptions, type Petstore, type Store } from "../../lib/index.ts";
import { silentLog } from "../../lib/base/log.ts";
import { START } from "../../testing/shelter.ts";
import { manualClock, type ManualClock } from "./clock.ts";
import { must } from "./outcome.ts";

/** A petstore with a clock that moves only on request. */
export interface Shelter {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly petstore: Petstore;
}

/** Opens a petstore; another one over the same store is another process. */
export function openShelter(store: Store, clock: ManualClock = manualClock(START)): Shelter {
  const encryptionKey = new Uint8Array(32).fill(7);
  return {
    clock,
    store,
    petstore: createPetstore({ store, clock, encryptionKey, log: silentLog }),
  };
}

/** Adds animals with these names. */
export async function addPets({ client }: Petstore, ...names: readonly string[]): Promise<void> {
  for (const name of names) must(await client.pets.create({ name, categoryId: 1 }));
}

/** Registers a handler that notes the names of new animals. */
export function noting(
  petstore: Petstore,
  options: EventOptions = {},
  act: (name: string) => unknown = () => undefined,
): { readonly heard: string[]; readonly off: () => void } {
  const heard: string[] = [];
  const off = petstore.events.on(
    "pet.created",
    async ({ data }) => {
      await act(data.pet.name);
      heard.push(data.pet.name);
    },
    options,
  );
  return { heard, off };
}

/** Runs the jobs so often that turns and pauses of others are over. */
export async function runFor({ petstore, clock }: Shelter, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await petstore.jobs.tick();
    clock.advance(1_000);
  }
}

/** Thrown where a process is killed: nothing of it runs afterwards. */
class Killed extends Error {}

/**
 * Kills a process before and after each of its writes and each call of its handler, one after the other, and lets another
 * process go on with the same database. Every event must be handled at least once, in its order.
 */
export async function killedConsumers(
  open: () => Eventual<{ readonly store: Store; readonly close?: () => Eventual<void> }>,
): Promise<number> {
  const names = ["Ada", "Bo", "Cleo", "Dot", "Eve"];
  let steps = 0;
  for (let finished = false; !finished; steps++) {
    const { store, close } = await open();
    const clock = manualClock(START);
    const writer = openShelter(store, clock);
    let left = steps;
    let armed = false;
    const die = (): void => {
      if (armed && left-- <= 0) throw new Killed("killed");
    };
    const mortal: Store = {
      ...store,
      commit: async (changes, actor) => {
        die();
        const committed = await store.commit(changes, actor);
        die();
        return committed;
      },
    };
    const first = openShelter(mortal, clock);
    const options = { consumer: "index", from: "start" } as const;
    await addPets(writer.petstore, ...names.slice(0, 2));
    armed = true;
    const killed = noting(first.petstore, options, die);
    await first.petstore.jobs.tick();
    await addPets(writer.petstore, ...names.slice(2));
    clock.advance(1_000);
    await first.petstore.jobs.tick();
    finished = left > 0;
    // What is left of it must not run: its handler would die again.
    killed.off();
    const second = openShelter(store, clock);
    const { heard } = noting(second.petstore, options);
    await runFor(second, 60);
    const all = [...killed.heard, ...heard];
    expect([steps, [...new Set(all)]]).toEqual([steps, names]);
    // Each process has them in their order.
    for (const some of [killed.heard, heard]) {
      expect([steps, some]).toEqual([steps, some.toSorted()]);
    }
    await close?.();
  }
  return steps;
}
