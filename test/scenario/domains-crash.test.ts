import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { openTown, townMissing, type Town } from "./domains/town.ts";

interface Shown {
  readonly status: string;
  readonly records: readonly { readonly purpose: string; readonly value: string }[];
  readonly timeline: readonly { readonly kind: string }[];
}

/** From the click to the kill: somewhere in the three seconds that a certificate takes here. */
const KILLS_MS: readonly number[] = [50, 400, 900, 1_600];

describe.skipIf(townMissing !== undefined)(
  `a program that is killed while certificates are made (${townMissing ?? "everything is here"})`,
  () => {
    let town: Town;
    beforeAll(async () => {
      town = await openTown({ sleepSeconds: 2 });
    }, 60_000);
    afterAll(async () => town?.[Symbol.asyncDispose]());

    test(
      "goes on where it was, and needs nobody to click again",
      async () => {
        for (const [index, delayMs] of KILLS_MS.entries()) {
          const name = `k${index}.shelter.org`;
          const added = await town.json<Shown>("domains", "add", name, "--project", town.slug);
          const routing = added.document.records.find(({ purpose }) => purpose === "routing");
          await town.internet.change("shelter.org", `set k${index} 5 CNAME ${routing?.value}.`);
          await town.run("domains", "verify", name);
          await Bun.sleep(delayMs);
          await town.crash();
          // A look without a click: nobody verifies again.
          const live = await lastly(town, name, ({ status }) => status === "live");
          expect([name, live.status]).toEqual([name, "live"]);
          const begun = live.timeline.filter(({ kind }) => kind === "issuing");
          expect(begun.length).toBe(1);
          const url = `https://${name}:${town.httpsPort}/livez`;
          expect((await town.visit(url)).status).toBe(200);
        }
      },
      4 * 60_000,
    );
  },
);

/** What the domain is like once it holds, or after half a minute. */
async function lastly(town: Town, name: string, holds: (shown: Shown) => boolean): Promise<Shown> {
  const until = Date.now() + 30_000;
  for (;;) {
    const { document } = await town.json<Shown>("domains", "show", name);
    if (holds(document) || Date.now() > until) return document;
    await Bun.sleep(250);
  }
}
