import { expect } from "bun:test";

import { createPetstore, type Store } from "../../lib/index.ts";
import type { Chance } from "./chance.ts";
import { must } from "./outcome.ts";

const PROCESS = Bun.fileURLToPath(new URL("consumer-process.ts", import.meta.url));

const EVENTS = 600;

/**
 * Kills processes that handle events with SIGKILL, one after the other, until all events were handled. Each process must have
 * them in their order, and later ones must not begin at the beginning.
 */
export async function endureKills(
  { store, kind, place }: { readonly store: Store; readonly kind: string; readonly place: string },
  dice: Chance,
): Promise<void> {
  const { client } = createPetstore({ store });
  const names = Array.from(
    { length: EVENTS },
    (_, index) => `Rex ${String(index).padStart(4, "0")}`,
  );
  await client.accounts.default();
  // In order: the events have the order of the names.
  for (const name of names) must(await client.pets.create({ name, categoryId: 1 }));
  const handled = new Set<string>();
  let beganLater = false;
  for (let round = 0; handled.size < EVENTS; round++) {
    const child = Bun.spawn([process.execPath, PROCESS, kind, place, String(round)], {
      stdout: "pipe",
      stderr: "inherit",
    });
    const killAt = dice.between(1, EVENTS / 2);
    const lines: string[] = [];
    let output = "";
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      const whole = output.split("\n");
      output = whole.pop() ?? "";
      for (const line of whole) {
        lines.push(line);
        handled.add(line);
      }
      if (lines.length >= killAt || handled.size === EVENTS) child.kill("SIGKILL");
    }
    await child.exited;
    expect(lines).toEqual(lines.toSorted());
    beganLater ||= lines[0] !== undefined && lines[0] !== names[0];
  }
  expect([...handled].toSorted()).toEqual(names);
  expect(beganLater).toBe(true);
}
