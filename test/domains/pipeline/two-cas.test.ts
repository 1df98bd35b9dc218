import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { connect, createServer, type AddressInfo } from "node:net";

import { inspectChain } from "../../../domains/acme/inspect.ts";
import { applyOutcome } from "../../../domains/model/apply-outcome.ts";
import { buildCas, builtCa } from "../../../scripts/install-cas.ts";
import { system } from "../../../lib/model/actor.ts";
import { torture } from "../../helpers/chance.ts";
import {
  driveReal,
  startValidatedServers,
  type ValidatedServers,
} from "../../helpers/domains/validated.ts";
import { longTest } from "../../helpers/long.ts";
import { openWorld } from "../../helpers/domains/world.ts";
import { pebbleAuthority, type Directory } from "../../helpers/pebble-authority.ts";
import { pebbleMissing, startPebble, type Pebble } from "../../helpers/pebble.ts";
import { startStepCa } from "../../helpers/step-ca.ts";

// The long form of the tests builds the newest versions with Go.
if (torture && Bun.which("go") !== null) await buildCas();
const newest = builtCa("pebble");
const stepCa = builtCa("step-ca");

/** Forwards connections to a CA, until it is switched off. */
async function switched(
  ca: Directory,
): Promise<AsyncDisposable & { readonly directory: Directory; up: boolean }> {
  const sockets = new Set<{ destroy(): void }>();
  const { port } = new URL(ca.directoryUrl);
  const server = createServer((socket) => {
    if (!line.up) {
      socket.destroy();
      return;
    }
    const there = connect(Number(port), "127.0.0.1");
    for (const one of [socket, there]) {
      sockets.add(one);
      one
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(one);
          socket.destroy();
          there.destroy();
        });
    }
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // It listens on a port, not on a path.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const own = (server.address() as AddressInfo).port;
  const line = {
    directory: { ...ca, directoryUrl: ca.directoryUrl.replace(`:${port}/`, `:${own}/`) },
    up: true,
    [Symbol.asyncDispose]: async () => {
      for (const one of sockets) one.destroy();
      server.close();
    },
  };
  return line;
}

describe.skipIf(pebbleMissing !== undefined)(`Two CAs (${pebbleMissing ?? "are here"})`, () => {
  let servers: ValidatedServers;
  let first: Pebble;
  const start = (options: Partial<Parameters<typeof startPebble>[0]> = {}): Promise<Pebble> => {
    const { httpPort, tlsPort } = servers;
    return startPebble({ refusedNonces: 15, ...options, httpPort, tlsPort });
  };
  beforeAll(async () => {
    servers = await startValidatedServers();
    first = await start();
  });
  afterAll(async () => {
    await first?.[Symbol.asyncDispose]();
    await servers?.[Symbol.asyncDispose]();
  });

  /** The second CA issues while the first one is down, and the first one issues the next certificate. */
  const takesOver = async (other: Directory): Promise<void> => {
    await using line = await switched(first);
    line.up = false;
    const preferred = pebbleAuthority(line.directory);
    const second = pebbleAuthority(other);
    const world = await openWorld();
    world.clock.set(Date.now());
    servers.answerFor(world);
    const { id } = await world.add(1);
    const pipeline = world.pipeline({ authorities: [preferred, second] });
    await driveReal(world, pipeline, id);
    const { certificate } = await world.domain(id);
    expect(certificate?.authority).toBe(second.id);
    const leafOf = async (one = "") =>
      inspectChain((await world.domains.certificates.byId(one))?.chainPem ?? "")?.certificates[0];
    const before = await leafOf(certificate?.id);

    line.up = true;
    const from = await world.domain(id);
    const at = world.clock.now();
    const { domain: to, news } = applyOutcome(from, { kind: "replace", reason: "revoked" }, at);
    await world.domains.commit([{ kind: "domain.save", from, to, news, at }], system);
    await driveReal(world, pipeline, id, {
      isOver: async () => (await world.domain(id)).certificate?.id !== certificate?.id,
    });
    const renewed = await world.domain(id);
    expect(renewed.certificate?.authority).toBe(preferred.id);
    const after = await leafOf(renewed.certificate?.id);
    expect([before?.names, after?.names]).toEqual([["pets1.test"], ["pets1.test"]]);
    expect(before?.issuer).not.toBe(after?.issuer);
    await world.close();
  };

  test("two Pebbles: the second one takes over while the first is down, and gives back", async () => {
    await using second = await start();
    await takesOver(second);
  });

  longTest.skipIf(stepCa === undefined)(
    "step-ca takes over from Pebble, and gives back",
    async () => {
      const { httpPort, tlsPort } = servers;
      const { dnsServer } = first;
      await using second = await startStepCa({
        program: stepCa ?? "",
        httpPort,
        tlsPort,
        dnsServer,
      });
      await takesOver(second);
    },
  );

  longTest.skipIf(newest === undefined)(
    "the newest Pebble, strict, issues by the profile asked for, and without one that it drops",
    async () => {
      await using pebble = await start({
        program: newest ?? "",
        strict: true,
        profiles: { classic: 90 * 86_400, shortlived: 160 * 3_600 },
      });
      for (const [number, profile, hours] of [
        [1, "shortlived", 160],
        [2, "classic", 90 * 24],
        [3, "unknown", undefined],
      ] as const) {
        const world = await openWorld();
        world.clock.set(Date.now());
        servers.answerFor(world);
        const { id } = await world.add(number);
        const authority = pebbleAuthority(pebble, { profile });
        const directory = await authority.directory(new AbortController().signal);
        expect(Object.keys(directory.ok ? directory.value.profiles : {}).toSorted()).toEqual([
          "classic",
          "shortlived",
        ]);
        await driveReal(world, world.pipeline({ authorities: [authority] }), id);
        const { certificate } = await world.domain(id);
        const lived = ((certificate?.notAfter ?? 0) - (certificate?.notBefore ?? 0)) / 3_600_000;
        const kept = await world.domains.certificates.byId(certificate?.id ?? "");
        const { renewalId = "" } = inspectChain(kept?.chainPem ?? "")?.certificates[0] ?? {};
        const info = await authority.renewalInfo(renewalId, new AbortController().signal);
        const { start = 0 } = info.ok ? info.value.window : {};
        expect(start).toBeGreaterThan(certificate?.notBefore ?? Infinity);
        if (hours === undefined) expect([160, 90 * 24]).toContain(Math.round(lived));
        else expect(Math.round(lived)).toBe(hours);
        await world.close();
      }
    },
  );
});
