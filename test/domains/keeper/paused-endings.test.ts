import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { createKeeper } from "../../../domains/keeper/keeper.ts";
import { REMOVED_KEPT_MS } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { DomainChange } from "../../../domains/ports/domain-change.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { adding, saving, someDomain, START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

const MANY = 2_000;

/** Adds domains that were removed long ago, so that all are about to be deleted. */
async function addRemoved(world: World): Promise<void> {
  const changes: DomainChange[] = [];
  for (let number = 1; number <= MANY; number++) {
    const domain = someDomain(1_000 + number);
    const removal = { at: START, reason: "removed" } as const;
    changes.push(adding(domain), saving(domain, { removal }));
  }
  for (let start = 0; start < changes.length; start += 500) {
    const written = await world.domains.commit(changes.slice(start, start + 500), system);
    expect(written.ok).toBe(true);
  }
}

test(`${MANY} domains whose end waits delay no other one, are not looked at, and end afterwards`, async () => {
  const world = await open();
  const { clock, domains, store } = world;
  const renewed = await world.add(1);
  await drive(world, world.pipeline(), START + MINUTE_MS);
  const { certificate } = await world.domain(renewed.id);
  await addRemoved(world);
  // By then the certificate is due for renewal, too.
  clock.advance(Math.max(REMOVED_KEPT_MS, (certificate?.renewAt ?? 0) - START) + DAY_MS);
  const added = await world.add(2);
  clock.advance(SECOND_MS);

  let mayEnd = false;
  let looks = 0;
  let rows = 0;
  const spied: typeof domains = {
    ...domains,
    domains: {
      ...domains.domains,
      due: async (...input) => {
        looks++;
        const due = await domains.domains.due(...input);
        rows += due.length;
        return due;
      },
    },
  };
  const keeper = createKeeper({
    pipeline: world.pipeline({ store: spied, mayEnd: () => mayEnd }),
    domains: spied,
    store,
    routes: { forget() {}, forgetAll() {}, refresh: async () => {}, confirm() {} },
    clock: world.time(),
    log: silentLog,
  });
  const rounds = async (count: number): Promise<void> => {
    for (let round = 0; round < count; round++) {
      await keeper.tick();
      clock.advance(SECOND_MS / 4);
    }
  };
  // The order waits until the clock has been compared with the CA's.
  await rounds(8);
  expect(statusOf(await world.domain(added.id), clock.now())).toBe("live");
  expect((await world.domain(renewed.id)).certificate?.id).not.toBe(certificate?.id ?? "");
  [looks, rows] = [0, 0];
  await rounds(240);
  // A minute: `tick` looks once, and once more after each look that found work; a round looks at most once a second.
  // They find nothing but the two domains.
  expect(looks).toBeLessThanOrEqual(240 + 60 + rows);
  expect(rows).toBeLessThanOrEqual(20);

  mayEnd = true;
  // The next look is at most ten seconds away.
  await rounds(48);
  expect(await domains.domains.due(clock.now(), 1)).toEqual([]);
  expect(await domains.domains.byId(someDomain(1_001).id)).toBeUndefined();
  expect(await domains.domains.byId(someDomain(1_000 + MANY).id)).toBeUndefined();
});
