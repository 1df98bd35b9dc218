import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { startInternet } from "../helpers/internet.ts";
import { startPebble } from "../helpers/pebble.ts";
import { startGateway } from "./domains/gateway.ts";
import { beginnings, moments, type Moment } from "./domains/moments.ts";
import { openMortal, zonesOf, type Mortal } from "./domains/mortal.ts";
import { platformMissing } from "./domains/platform.ts";

/** Programs that run side by side, because most of their time is spent waiting. */
const LANES = torture ? 4 : 3;
const LIMIT_MS = torture ? 1_800_000 : 600_000;

describe.skipIf(platformMissing !== undefined)(
  `kill -9 during the life of a domain (${platformMissing ?? "everything is installed"})`,
  () => {
    const opened = new AsyncDisposableStack();
    let lanes: readonly Mortal[] = [];
    let rootFile = "";
    beforeAll(async () => {
      const directory = await mkdtemp(join(tmpdir(), "mortal-"));
      opened.defer(() => rm(directory, { recursive: true, force: true }));
      const gateway = opened.use(await startGateway());
      const numbers = Array.from({ length: LANES }, (_, index) => index + 1);
      const lines = ["@", "staging", "*", "*.cname"].map((name) => `${name} A 127.0.0.1`);
      const zones = numbers.flatMap((number) => {
        const { base, customers } = zonesOf(number);
        return [[base, { lines }] as const, [customers, { lines: [] }] as const];
      });
      const internet = opened.use(await startInternet(Object.fromEntries(zones)));
      const pebble = opened.use(
        await startPebble({
          httpPort: gateway.port,
          // No server listens: only http-01 remains, which can be delayed.
          tlsPort: 1,
          // A repeated request would not be the intended one.
          refusedNonces: 0,
          dnsServer: `${internet.caResolver}:53`,
        }),
      );
      rootFile = join(directory, "root.pem");
      await writeFile(rootFile, await pebble.root());
      lanes = await Promise.all(
        numbers.map(async (number) =>
          opened.use(
            await openMortal({
              ...{ number, directory, internet, pebble, gateway },
              beginning: beginnings[number - 1],
            }),
          ),
        ),
      );
    });
    afterAll(() => opened.disposeAsync());

    /** Crashes at each of `deaths` that occurs, one per run, and ends live with one certificate. */
    async function outlive(mortal: Mortal, name: string, deaths: readonly Moment[]): Promise<void> {
      await mortal.add(name);
      let lost = 0;
      let repeated = 0;
      let isLive = false;
      for (const [life, moment] of deaths.entries()) {
        mortal.dieAt(moment);
        if (life > 0) await mortal.revive();
        else await mortal.verify(name);
        isLive = await mortal.live(name);
        if (isLive) break;
        await mortal.death();
        if (life === 0) expect(await mortal.written.step(name), moment.name).toBe(moment.step);
        if (moment.lostOrder === true) lost++;
        if (moment.lostFinalize === true) repeated++;
      }
      if (!isLive) {
        await mortal.revive();
        await mortal.live(name);
      }
      const facts = {
        orders: mortal.requestsFor("newOrder"),
        finalized: mortal.requestsFor("finalize"),
        accounts: mortal.requestsFor("newAccount"),
        kept: await mortal.written.certificates(name),
        shown: await handshake(name, mortal.httpsPort, rootFile),
      };
      const story = deaths.map((moment) => moment.name).join(", then ");
      const right = {
        orders: 1 + lost,
        finalized: 1 + repeated,
        accounts: 0,
        kept: 1,
        shown: true,
      };
      const timeline = await mortal.written.timeline(name);
      expect(facts, [story, ...timeline].join("\n")).toEqual(right);
    }

    /** Runs every list of deaths, distributed over the programs. */
    async function outliveAll(all: readonly (readonly Moment[])[], prefix: string): Promise<void> {
      const left = [...all.entries()];
      await Promise.all(
        lanes.map(async (mortal, index) => {
          const { customers } = zonesOf(index + 1);
          for (let next = left.shift(); next !== undefined; next = left.shift()) {
            const [number, deaths] = next;
            await outlive(mortal, `${prefix}${number}.${customers}`, deaths);
          }
        }),
      );
    }

    test("while the CA account is created loses no key and creates no second account", async () => {
      const died = lanes.filter(({ firstKeys }) => firstKeys.length > 0);
      expect(died).toHaveLength(beginnings.length);
      for (const { firstKeys, written } of died) {
        expect(await written.accountKeys()).toEqual(firstKeys);
      }
    });

    test(
      "at any step of an order leaves one order, one certificate and a live domain",
      async () => {
        expect(new Set(moments.map(({ step }) => step)).size).toBe(9);
        const singly = moments.map((moment) => [moment]);
        await outliveAll(singly, "once");
      },
      LIMIT_MS,
    );

    // All pairs take minutes.
    if (torture) {
      test(
        "at any two steps leaves no more than that",
        async () => {
          const pairs = moments.flatMap((first, index) =>
            moments.slice(index).map((second) => [first, second]),
          );
          await outliveAll(pairs, "twice");
        },
        LIMIT_MS,
      );
    }

    test("writes no private key anywhere", () => {
      for (const mortal of lanes) expect(mortal.output()).not.toContain("PRIVATE KEY");
    });
  },
);

/** Returns whether a client that trusts only the CA gets a certificate of the name, and a valid signature. */
async function handshake(host: string, port: number, rootFile: string): Promise<boolean> {
  const child = Bun.spawn(
    [
      ...["openssl", "s_client", "-connect", `127.0.0.1:${port}`, "-servername", host],
      ...["-verify_hostname", host, "-CAfile", rootFile, "-verify_return_error"],
    ],
    { stdio: [new Uint8Array(), "ignore", "ignore"] },
  );
  return (await child.exited) === 0;
}
