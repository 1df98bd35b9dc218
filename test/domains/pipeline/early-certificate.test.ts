import { expect, test } from "bun:test";

import { statusOf } from "../../../domains/model/domain-state.ts";
import { HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { fakeAuthority } from "../../helpers/domains/fake-authority.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

/** A CA that dates certificates `aheadMs` later than its `Date` says; it dates them back by an hour, too. */
function dating(aheadMs: number): Promise<World> {
  return open(undefined, {
    authorityOver: (clock) => fakeAuthority({ ...clock, now: () => clock.now() + aheadMs }),
  });
}

async function issue(world: World, withinMs: number) {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  const { id } = await world.add(1);
  await drive(world, world.pipeline({ log }), START + withinMs);
  return { domain: await world.domain(id), warnings };
}

test("a certificate that is not valid yet says that our clock is behind, and is served", async () => {
  const world = await dating(4 * HOUR_MS);
  const { domain, warnings } = await issue(world, MINUTE_MS);
  expect(statusOf(domain, world.clock.now())).toBe("live");
  expect(warnings).toEqual([
    "clock_skew: our clock is 10800 s behind the CA's, whose certificate is not valid yet",
  ]);
});

test("a certificate that becomes valid within an hour waits until then", async () => {
  const world = await dating(90 * MINUTE_MS);
  const { domain, warnings } = await issue(world, 29 * MINUTE_MS);
  expect([domain.certificate, warnings]).toEqual([undefined, []]);
  await drive(world, world.pipeline(), START + 31 * MINUTE_MS);
  expect(statusOf(await world.domain(domain.id), world.clock.now())).toBe("live");
});
