import { expect } from "bun:test";

import type { PipelineOptions } from "../../../domains/pipeline/context.ts";
import { chance } from "../chance.ts";
import { fakeAuthority, lostAnswer } from "./fake-authority.ts";
import { validationOf, type World } from "./world.ts";

/** The store of another node, over the same database. */
export interface OtherNode {
  readonly domains: PipelineOptions["store"];
  readonly leases: PipelineOptions["leases"];
}

/**
 * Lets two nodes that prefer different CAs order certificates for `rounds` names at the same time, while both CAs fail at
 * random. Expects one order for each name, at one of the CAs. Goes on for up to ten times as many names until both have
 * issued: either node may win each of a few races.
 */
export async function raceIssuers(world: World, other: OtherNode, rounds: number): Promise<void> {
  const random = chance();
  const { clock, authority: first } = world;
  const second = await fakeAuthority(clock, { id: "https://second.test/directory" });
  second.validate = validationOf(second, world.domains, clock);
  for (const one of [first, second]) {
    one.fault = (call) => (call === "newOrder" && random.true(0.3) ? lostAnswer : undefined);
  }
  const here = world.pipeline({ authorities: [first, second] });
  const there = world.pipeline({
    authorities: [second, first],
    store: other.domains,
    leases: other.leases,
  });
  const { signal } = new AbortController();
  const isOver = (round: number): boolean =>
    round > rounds && ((first.issued > 0 && second.issued > 0) || round > 10 * rounds);
  for (let round = 1; !isOver(round); round++) {
    const { id, name } = await world.add(round);
    for (let step = 0; step < 400; step++) {
      await Promise.all([here, there].map((one) => one.advance(id, signal)));
      if ((await world.domain(id)).liveSince !== undefined) break;
      clock.advance(5_000);
    }
    expect((await world.domain(id)).liveSince).toBeDefined();
    const created = [first, second].flatMap(({ orders }) =>
      orders.filter((order) => order.name === name),
    );
    expect(created).toHaveLength(1);
  }
  expect(first.issued).toBeGreaterThan(0);
  expect(second.issued).toBeGreaterThan(0);
}
