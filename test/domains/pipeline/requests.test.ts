import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import type { CertificateAuthority } from "../../../domains/ports/authority.ts";
import { startFaultStand, type FaultStand } from "../../helpers/fault-ca/stand.ts";
import { openWorld, type World } from "../../helpers/domains/world.ts";
import { pebbleAuthority } from "../../helpers/pebble-authority.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

const signal = new AbortController().signal;

/** The requests for one certificate if the CA validates and issues before the first poll. */
const PER_CERTIFICATE = [
  "newOrder",
  "authorization",
  "challenge",
  "authorization",
  "finalize",
  "order",
  "certificate",
];

/** Advances the domain until it is live, with the real clock. */
async function driveLive(world: World, pipeline: Pipeline, id: string): Promise<void> {
  for (let step = 0; step < 100; step++) {
    const { issuance, liveSince } = await world.domain(id);
    if (liveSince !== undefined) return;
    const { kind } = await pipeline.advance(id, signal);
    if (kind !== "idle") continue;
    const { resumeAt } = issuance.order ?? { resumeAt: world.clock.now() };
    await Bun.sleep(Math.max(10, resumeAt - world.clock.now()));
    world.clock.set(Date.now());
  }
  throw new Error("not live");
}

describe.skipIf(pebbleMissing !== undefined)(`With Pebble (${pebbleMissing ?? "is here"})`, () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(() => stand[Symbol.asyncDispose]());

  test("a certificate costs seven requests, the first one of an installation three more", async () => {
    const world = await openWorld();
    world.clock.set(Date.now());
    const client = pebbleAuthority(stand.ca);
    const authority: CertificateAuthority = {
      ...client,
      respond: (account, challenge, asking) => {
        stand.servers.files.set(challenge.token, challenge.keyAuthorization);
        return client.respond(account, challenge, asking);
      },
    };
    const pipeline = world.pipeline({ authorities: [authority], challenges: ["http-01"] });
    const costs: (readonly string[])[] = [];
    for (const number of [1, 2]) {
      stand.ca.clear();
      const { id } = await world.add(number);
      await driveLive(world, pipeline, id);
      costs.push(stand.ca.requests.map(({ resource }) => resource));
    }
    expect(costs).toEqual([
      ["directory", "newNonce", "newAccount", ...PER_CERTIFICATE],
      PER_CERTIFICATE,
    ]);
    await world.close();
  });
});
