import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { MAX_DOMAINS } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { done } from "../../../lib/base/result.ts";
import { chance, runSeed, torture, type Chance } from "../../helpers/chance.ts";
import {
  lostAnswer,
  type FakeAuthority,
  type Fault,
} from "../../helpers/domains/fake-authority.ts";
import { isServed, START } from "../../helpers/domains/rows.ts";
import { drive, openWorld, type World } from "../../helpers/domains/world.ts";

const RUNS = torture ? 400 : 10;
const FAULTY_MS = 12 * HOUR_MS;
const { signal } = new AbortController();

/** Injects random faults until `until`. */
function plague(world: World, random: Chance, until: number): void {
  const { authority, clock } = world;
  const { validate } = authority;
  const faulty = (): boolean => clock.now() < until;
  authority.fault = (): Fault => {
    if (!faulty() || random.true(0.7)) return undefined;
    const retryAt = clock.now() + random.between(1, 90) * MINUTE_MS;
    return random.pick<Fault>([
      "lost",
      lostAnswer,
      { code: "unavailable", message: "", names: [], retryAt },
      { code: "rate_limited", message: "", names: [], retryAt },
      { code: "rate_limited", message: "", names: [] },
      { code: "order_gone", message: "", names: [] },
      { code: "order_not_ready", message: "", names: [] },
      { code: "account_unknown", message: "", names: [] },
      { code: "name_refused", message: "", names: [] },
      { code: "bad_request", message: "", names: [] },
      { code: "caa", message: "", names: [] },
    ]);
  };
  authority.validate = async (name, kind) => {
    if (!faulty() || random.true(0.4)) return validate(name, kind);
    return random.pick([
      undefined,
      { code: "connection", message: "", names: [] },
      { code: "wrong_answer", message: "", names: [] },
    ] as const);
  };
}

/** Concurrent changes to a domain. */
async function meddle(world: World, random: Chance, id: string, until: number): Promise<void> {
  const domain = await world.domain(id);
  const { name, targetLabel, projectId } = domain;
  const now = world.clock.now();
  const calm = now >= until;
  if (calm || random.true(0.6)) world.dns.set(name, targetLabel);
  else world.dns.set(name, "elsewhere");
  if (calm || random.true(0.8)) world.silent.delete(name);
  else world.silent.add(name);
  if (calm || random.true(0.8)) world.gates.delete(projectId);
  else world.gates.set(projectId, { plan: random.true(0.5), deploy: false, project: true });
}

for (let run = 0; run < RUNS; run++) {
  const seed = runSeed + run;
  test(`random faults do no harm, and everything is live afterwards (seed ${seed})`, async () => {
    const random = chance(seed);
    const world = await openWorld();
    const signal = new AbortController().signal;
    const until = START + FAULTY_MS;
    try {
      plague(world, random, until);
      const staying = await world.add(1);
      const leaving = await world.add(2);
      const leavesAt = START + random.between(0, FAULTY_MS / MINUTE_MS) * MINUTE_MS;
      const pipelines = [world.pipeline(), world.pipeline()] as const;
      let left = false;
      while (world.clock.now() < until) {
        await drive(world, random.pick(pipelines), world.clock.now() + 7 * MINUTE_MS);
        for (const { id } of [staying, ...(left ? [] : [leaving])]) {
          await meddle(world, random, id, until);
          if (random.true(0.3)) await random.pick(pipelines).verify(id, system, signal);
        }
        if (!left && world.clock.now() >= leavesAt) {
          await world.remove(leaving.id);
          left = true;
        }
        if (left) expect(isServed(await world.domain(leaving.id), world.clock.now())).toBe(false);
      }
      await meddle(world, random, staying.id, until);
      // Longer than any wait caused by a failure.
      await drive(world, pipelines[0], until + 2 * DAY_MS);
      await pipelines[0].verify(staying.id, system, signal);
      await drive(world, pipelines[0], until + 2 * DAY_MS + HOUR_MS);

      expect(statusOf(await world.domain(staying.id), world.clock.now())).toBe("live");
      expect(await world.domains.orders.of(staying.name)).toBeUndefined();
      expect(await world.domains.orders.of(leaving.name)).toBeUndefined();
      const { failedValidations } = world.authority;
      for (const { name, at } of failedValidations) {
        const within = failedValidations.filter(
          (other) => other.name === name && other.at >= at && other.at < at + HOUR_MS,
        );
        expect(within.length).toBeLessThanOrEqual(5);
      }
      expect((await world.domains.domains.served(0, MAX_DOMAINS)).length).toBe(1);
    } finally {
      await world.close();
    }
  });
}

describe("a CA that never ends an order", () => {
  const states = {
    "is ready whenever it is asked": (authority: FakeAuthority) => {
      const { order } = authority;
      authority.order = async (...asked) => {
        const found = await order(...asked);
        return found.ok ? done({ ...found.value, status: "ready" } as const) : found;
      };
      authority.finalize = async (account, { url }) => authority.order(account, url, signal);
    },
    "takes its authorizations back": (authority: FakeAuthority) => {
      const { authorization, newOrder } = authority;
      let asked = 0;
      authority.newOrder = async (...order) => {
        const made = await newOrder(...order);
        if (!made.ok) return made;
        const [url = ""] = made.value.authorizationUrls;
        return done({ ...made.value, authorizationUrls: [url, url] });
      };
      authority.authorization = async (...of) => {
        const found = await authorization(...of);
        if (!found.ok) return found;
        const { url, name, wildcard } = found.value;
        const challenges = [
          {
            type: "http-01",
            url: "https://ca.test/http-01/0",
            token: "http-01-0",
            keyAuthorization: "http-01-0.thumbprint",
            status: "pending",
          },
        ] as const;
        return asked++ % 2 === 0
          ? done({ url, name, wildcard, status: "pending", challenges })
          : done({ url, name, wildcard, status: "valid" });
      };
    },
  };
  test.each(Object.entries(states))("and %s, is asked ever more rarely", async (_, confuse) => {
    const world = await openWorld();
    const { authority } = world;
    let asked = 0;
    authority.fault = () => void asked++;
    confuse(authority);
    const { id } = await world.add(1);
    await drive(world, world.pipeline(), START + HOUR_MS);
    expect(asked).toBeLessThan(200);
    await drive(world, world.pipeline(), START + DAY_MS);
    expect(asked).toBeLessThan(2_500);
    expect(statusOf(await world.domain(id), world.clock.now())).not.toBe("live");
    await world.close();
  });
});
