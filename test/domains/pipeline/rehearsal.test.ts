import { describe, expect, test } from "bun:test";

import { ownProblem } from "../../../domains/model/acme-problem.ts";
import type { Rehearsal } from "../../../domains/model/rehearsal.ts";
import { MINUTE_MS } from "../../../lib/base/clock.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, openWorld, type World } from "../../helpers/domains/world.ts";

const signal = new AbortController().signal;
const ALL = ["dns", "account", "order", "challenge", "validation", "certificate"] as const;

/** A live domain, and what the store has of it and its account. */
async function live() {
  const world = await openWorld();
  const pipeline = world.pipeline();
  const { id, name } = await world.add(1);
  await drive(world, pipeline, START + MINUTE_MS);
  const { authority, domains } = world;
  const kept = async () => ({
    domain: await world.domain(id),
    account: await domains.accounts.of(authority.id),
    certificate: await domains.certificates.byId((await world.domain(id)).certificate?.id ?? ""),
    order: await domains.orders.of(name),
    challenges: await Promise.all(
      authority.orders.map(({ number }) =>
        domains.challenges.http01(name, `http-01-${number}`, world.clock.now()),
      ),
    ),
  });
  return { world, pipeline, id, name, kept };
}

/** Advances the clock until a rehearsal has ended. */
async function ended(
  { clock }: Pick<World, "clock">,
  going: Promise<Rehearsal | undefined>,
): Promise<Rehearsal | undefined> {
  let over = false;
  const settled = going.finally(() => {
    over = true;
  });
  while (!over) {
    // One sleeper is the time limit. Without another, the rehearsal is busy.
    if (clock.sleeping > 1) clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return settled;
}

describe("a rehearsal", () => {
  test("passes every part with an account of its own, and leaves nothing behind", async () => {
    const { world, pipeline, id, kept } = await live();
    const before = await kept();
    const domain = await world.domain(id);
    const rehearsed = await ended(world, pipeline.rehearse(domain, world.authority, signal));
    expect(rehearsed).toMatchObject({ passed: ALL, challenge: "http-01" });
    expect(rehearsed?.failure).toBeUndefined();
    const after = await kept();
    expect(world.authority.orders).toHaveLength(2);
    expect(after).toEqual({ ...before, challenges: [undefined, undefined] });
    // The lease is free again.
    expect(await world.leases.acquire(`domain:${domain.name}`, MINUTE_MS)).toBeDefined();
  });

  test.each([
    ["the DNS is wrong", "dns", (world: World, name: string) => world.dns.set(name, "elsewhere")],
    [
      "the CA refuses the account",
      "account",
      (world: World) => {
        world.authority.fault = (call) =>
          call === "createAccount" ? ownProblem("account_refused", "No.") : undefined;
      },
    ],
    [
      "the CA refuses the order",
      "order",
      (world: World) => {
        world.authority.fault = (call) =>
          call === "newOrder" ? ownProblem("caa", "CAA forbids it.") : undefined;
      },
    ],
    [
      "the CA does not find the proof",
      "validation",
      (world: World) => {
        world.authority.validate = async () => ownProblem("connection", "Port 80 is closed.");
      },
    ],
  ] as const)(
    "names the part that fails when %s, and changes nothing",
    async (_what, part, spoil) => {
      const { world, pipeline, id, name, kept } = await live();
      const before = await kept();
      spoil(world, name);
      const domain = await world.domain(id);
      const rehearsed = await ended(world, pipeline.rehearse(domain, world.authority, signal));
      expect(rehearsed?.failure?.part).toBe(part);
      expect(rehearsed?.passed).toEqual(ALL.slice(0, ALL.indexOf(part)));
      const { domain: after, account, certificate, order } = await kept();
      expect({ after, account, certificate, order }).toEqual({
        after: before.domain,
        account: before.account,
        certificate: before.certificate,
        order: undefined,
      });
    },
  );

  test("of a CA that never validates ends after a minute", async () => {
    const { world, pipeline, id } = await live();
    world.authority.validate = async () => undefined;
    const startedAt = world.clock.now();
    const domain = await world.domain(id);
    const rehearsed = await ended(world, pipeline.rehearse(domain, world.authority, signal));
    expect(rehearsed?.failure).toMatchObject({ part: "validation", code: "unavailable" });
    expect(world.clock.now() - startedAt).toBeLessThan(1.5 * MINUTE_MS);
  });

  test("does not start while an order is open, or another process works on the name", async () => {
    const world = await openWorld();
    const pipeline = world.pipeline();
    const { id, name } = await world.add(1);
    while ((await world.domains.orders.of(name))?.state.step !== "presented") {
      await pipeline.advance(id, signal);
    }
    const domain = await world.domain(id);
    const open = await world.domains.orders.of(name);
    expect(await pipeline.rehearse(domain, world.authority, signal)).toBeUndefined();
    expect(await world.domains.orders.of(name)).toEqual(open);
    const token = open?.state.step === "presented" ? (open.state.proof?.token ?? "") : "";
    const answered = await world.domains.challenges.http01(name, token, world.clock.now());
    expect(answered).toBeDefined();
    const second = await live();
    await second.world.leases.acquire(`domain:${second.name}`, MINUTE_MS);
    const other = await second.world.domain(second.id);
    expect(await second.pipeline.rehearse(other, second.world.authority, signal)).toBeUndefined();
  });
});
