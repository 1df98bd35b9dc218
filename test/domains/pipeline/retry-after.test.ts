import { describe, expect, test } from "bun:test";

import { retryInstant } from "../../../domains/acme/transport.ts";
import { ownProblem, type AuthorityProblem } from "../../../domains/model/acme-problem.ts";
import { longestWaitMs } from "../../../domains/model/backoff.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import type { Authorization } from "../../../domains/ports/authority.ts";
import { DAY_MS, HOUR_MS, httpTime, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { done } from "../../../lib/base/result.ts";
import { system } from "../../../lib/model/actor.ts";
import { torture } from "../../helpers/chance.ts";
import { fakeAuthority } from "../../helpers/domains/fake-authority.ts";
import { saving, START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const openWith = worlds();

async function open(lifetimeMs = 90 * DAY_MS): Promise<World> {
  return openWith(undefined, { authorityOver: (clock) => fakeAuthority(clock, { lifetimeMs }) });
}

const orders = ({ authority }: World): number =>
  authority.calls.filter((call) => call.startsWith("newOrder")).length;

/** The values of the header that a CA or a proxy before it may send at an instant. */
const HEADERS: Readonly<Record<string, (now: number) => string | undefined>> = {
  absent: () => undefined,
  zero: () => "0",
  negative: () => "-5",
  text: () => "soon",
  "a date": (now) => httpTime(now + 3 * HOUR_MS),
  "a date in the past": (now) => httpTime(now - DAY_MS),
  "a day": () => "86400",
  "a year": () => "31536000",
  "an exponent": () => "1e20",
  "too many digits": () => "100000000000000000000",
};

/** The lifetimes of certificates. Those of 64, 45 and 6 days are or will be Let's Encrypt's, of 160 hours as well. */
const LIVES = {
  "10 minutes": 10 * MINUTE_MS,
  "6 days": 6 * DAY_MS,
  "90 days": 90 * DAY_MS,
  ...(!torture
    ? {}
    : { "160 hours": 160 * HOUR_MS, "45 days": 45 * DAY_MS, "64 days": 64 * DAY_MS }),
} as const;

/** The header has its own test for each of them; the tests with any header have all lives. */
const EACH_HEADER = torture ? Object.keys(LIVES) : ["6 days"];

function refusal(
  status: 429 | 503 | 500,
  header: string | undefined,
  now: number,
): AuthorityProblem {
  const retryAt = retryInstant(header, now);
  return {
    ...ownProblem(status === 429 ? "rate_limited" : "unavailable", "slow down"),
    status,
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

/** Returns the next instant at which the domain orders or polls. */
function nextAt({ issuance: { order, notBefore } }: Domain): number {
  return order?.resumeAt ?? notBefore;
}

/**
 * Lets a CA issue certificates, refuse renewals with `refuse` for three quarters of the time that is left for them, and
 * then work again. Expects that every certificate is replaced before it expires, and that no wait is too long. Without
 * TEST_TORTURE, at most `mostLeftMs` are left.
 */
async function renewedInTime(
  lifetimeMs: number,
  count: number,
  refuse: (name: string, now: number) => AuthorityProblem,
  mostLeftMs: number = Infinity,
): Promise<void> {
  const world = await open(lifetimeMs);
  const ids: string[] = [];
  for (let number = 1; number <= count; number++) ids.push((await world.add(number)).id);
  const pipeline = world.pipeline();
  await drive(world, pipeline, START + 10 * SECOND_MS);
  for (const id of torture ? [] : ids) {
    const from = await world.domain(id);
    if (from.certificate === undefined) throw new Error("no certificate");
    const renewAt = Math.max(from.certificate.renewAt, from.certificate.notAfter - mostLeftMs);
    const change = saving(from, { certificate: { ...from.certificate, renewAt } });
    await world.domains.commit([{ ...change, at: world.clock.now() }], system);
  }
  const before = await Promise.all(ids.map(async (id) => (await world.domain(id)).certificate));
  const renewAt = Math.min(...before.map((one) => one?.renewAt ?? 0));
  const notAfter = Math.min(...before.map((one) => one?.notAfter ?? 0));
  const worksAt = renewAt + (notAfter - renewAt) * (3 / 4);
  world.authority.fault = (call, name) => {
    const now = world.clock.now();
    return call === "newOrder" && now < worksAt ? refuse(name, now) : undefined;
  };
  const stepMs = (notAfter - renewAt) / 40;
  await drive(world, pipeline, renewAt);
  while (world.clock.now() < notAfter - SECOND_MS) {
    const now = world.clock.now();
    for (const id of ids) {
      const domain = await world.domain(id);
      if (domain.issuance.failure === undefined) continue;
      const longest = longestWaitMs(domain.certificate, now);
      expect(nextAt(domain) - now).toBeLessThanOrEqual(longest + MINUTE_MS);
    }
    await drive(world, pipeline, Math.min(now + stepMs, notAfter - SECOND_MS));
  }
  for (const [index, id] of ids.entries()) {
    const { certificate } = await world.domain(id);
    expect(certificate?.id).not.toBe(before[index]?.id ?? "");
    expect(certificate?.activeSince).toBeLessThan(notAfter);
  }
  // One a minute for each name at the very most.
  expect(orders(world)).toBeLessThan(count * (2 + (2 * (worksAt - renewAt)) / MINUTE_MS));
}

/** An eighth of it is more than a day, and later less. */
const ENOUGH_MS: number = 12 * DAY_MS;
/** Enough for waits of minutes, whatever is left. */
const SOME_MS: number = 2 * DAY_MS;
/** Waits that may be too long for a certificate. */
const LONG: readonly string[] = ["a date", "a day", "a year", "too many digits"];

describe("no wait is longer than a day or an eighth of the remaining life, and no certificate expires,", () => {
  for (const [life, lifetimeMs] of Object.entries(LIVES)) {
    for (const [what, header] of EACH_HEADER.includes(life) ? Object.entries(HEADERS) : []) {
      test(`${life}: all orders get 429 with a Retry-After that is ${what}, until the CA works again`, () =>
        renewedInTime(
          lifetimeMs,
          2,
          (_name, now) => refusal(429, header(now), now),
          LONG.includes(what) ? ENOUGH_MS : SOME_MS,
        ));
    }
    test(`${life}: orders for a name get 429 with any Retry-After, until the CA works again`, () => {
      const headers = Object.values(HEADERS);
      return renewedInTime(
        lifetimeMs,
        headers.length,
        (name, now) => {
          const header = headers[Number(/\d+/.exec(name)?.[0] ?? 1) - 1];
          const message = `too many certificates for the exact set of identifiers: ${name}`;
          return { ...refusal(429, header?.(now), now), message };
        },
        ENOUGH_MS,
      );
    });
    test(`${life}: orders get 503 with any Retry-After, until the CA works again`, () => {
      const headers = Object.values(HEADERS);
      let asked = 0;
      return renewedInTime(
        lifetimeMs,
        2,
        (_name, now) => refusal(503, headers[asked++ % headers.length]?.(now), now),
        SOME_MS,
      );
    });
  }
});

test("one 429 with a month to wait expires none of fifteen certificates, also after a restart", async () => {
  const world = await open(6 * DAY_MS);
  const ids: string[] = [];
  for (let number = 1; number <= 15; number++) ids.push((await world.add(number)).id);
  await drive(world, world.pipeline(), START + HOUR_MS);
  let left = 1;
  world.authority.fault = (call) =>
    call === "newOrder" && left-- > 0
      ? refusal(429, String((30 * DAY_MS) / SECOND_MS), world.clock.now())
      : undefined;
  await drive(world, world.pipeline(), START + 3 * DAY_MS);
  await drive(world, world.pipeline(), START + 5.9 * DAY_MS);
  for (const id of ids) {
    const domain = await world.domain(id);
    expect(statusOf(domain, world.clock.now())).toBe("live");
    expect(domain.certificate?.notAfter).toBeGreaterThan(START + 7 * DAY_MS);
  }
});

test("a 429 whose wait cannot be read holds up other names for five minutes", async () => {
  const world = await open();
  const first = await world.add(1);
  world.authority.fault = (call) =>
    call === "newOrder" ? refusal(429, "soon", world.clock.now()) : undefined;
  await drive(world, world.pipeline(), START + SECOND_MS);
  expect(orders(world)).toBe(1);
  world.authority.fault = () => undefined;
  const second = await world.add(2);
  await drive(world, world.pipeline(), START + 4 * MINUTE_MS);
  expect(orders(world)).toBe(1);
  await drive(world, world.pipeline(), START + 6 * MINUTE_MS);
  for (const { id } of [first, second]) {
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  }
});

describe("while an order is open,", () => {
  for (const call of ["authorization", "order"] as const) {
    for (const [what, header] of Object.entries(HEADERS)) {
      test(`a Retry-After of ${call} that is ${what} delays the next poll by a minute at most`, async () => {
        const world = await open();
        const { id } = await world.add(1);
        world.authority.processing = true;
        const named = (): { readonly retryAt?: number } => {
          const retryAt = retryInstant(header(world.clock.now()), world.clock.now());
          return retryAt === undefined ? {} : { retryAt };
        };
        const { authorization, order, validate } = world.authority;
        let looks = 0;
        world.authority.validate = async (name, kind) =>
          ++looks <= 2 ? undefined : validate(name, kind);
        const slow = {
          ...world.authority,
          authorization: async (...input: Parameters<typeof authorization>) => {
            const found = await authorization(...input);
            return found.ok ? done({ ...found.value, ...named() }) : found;
          },
          order: async (...input: Parameters<typeof order>) => {
            const found = await order(...input);
            return found.ok ? done({ ...found.value, ...named() }) : found;
          },
        };
        const pipeline = world.pipeline({
          authorities: [slow],
        });
        for (let step = 0; step < 400; step++) {
          const domain = await world.domain(id);
          if (domain.certificate !== undefined) break;
          expect((domain.issuance.order?.resumeAt ?? 0) - world.clock.now()).toBeLessThanOrEqual(
            MINUTE_MS,
          );
          await drive(world, pipeline, world.clock.now() + 5 * SECOND_MS);
        }
        expect((await world.domain(id)).certificate).toBeDefined();
        expect(world.clock.now()).toBeLessThan(START + 10 * MINUTE_MS);
        expect(orders(world)).toBe(1);
      });
    }
  }

  for (const [status, expected] of [
    [429, 10 * MINUTE_MS],
    [503, 10 * MINUTE_MS],
    [500, MINUTE_MS],
  ] as const) {
    test(`${status} with ten minutes to wait delays the next poll by ${expected / MINUTE_MS} minutes`, async () => {
      const world = await open();
      const { id } = await world.add(1);
      let failedAt: number | undefined;
      let nextAtInstant: number | undefined;
      world.authority.fault = (call) => {
        const now = world.clock.now();
        if (call !== "authorization") return undefined;
        if (failedAt !== undefined) nextAtInstant ??= now;
        if (failedAt !== undefined) return undefined;
        failedAt = now;
        return refusal(status, "600", now);
      };
      await drive(world, world.pipeline(), START + 20 * MINUTE_MS);
      expect((nextAtInstant ?? 0) - (failedAt ?? 0)).toBe(expected);
      expect((await world.domain(id)).certificate).toBeDefined();
      expect(orders(world)).toBe(1);
    });
  }
});

describe("a challenge that is invalid while its authorization is still pending", () => {
  const refused = ownProblem("connection", "192.0.2.1: Timeout during connect");

  /** A CA whose authorizations stay pending after a failed challenge, as RFC 8555 §7.1.6 allows for a while. */
  function lingering(world: World, kinds: readonly string[]) {
    const { authorization, validate } = world.authority;
    world.authority.validate = async (name, kind) =>
      kinds.includes(kind) ? undefined : validate(name, kind);
    return {
      ...world.authority,
      authorization: async (...input: Parameters<typeof authorization>) => {
        const found = await authorization(...input);
        if (!found.ok || found.value.status !== "pending") return found;
        const challenges = found.value.challenges.map((challenge) =>
          challenge.status === "processing" && kinds.includes(challenge.type)
            ? { ...challenge, status: "invalid" as const, problem: refused }
            : challenge,
        );
        const value: Authorization = { ...found.value, challenges };
        return done(value);
      },
    };
  }

  test("is answered by the other challenge at once", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const authority = lingering(world, ["http-01"]);
    await drive(world, world.pipeline({ authorities: [authority] }), START + 10 * SECOND_MS);
    const domain = await world.domain(id);
    expect(statusOf(domain, world.clock.now())).toBe("live");
    expect(domain.issuance.challenge).toBe("tls-alpn-01");
    const entries = await world.domains.timeline.of(id, 20);
    expect(entries.map(({ message = "" }) => message).join()).toContain(refused.message);
  });

  test("ends the order with the CA's reason if there is no other one", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const authority = lingering(world, ["http-01", "tls-alpn-01"]);
    await drive(world, world.pipeline({ authorities: [authority] }), START + 10 * SECOND_MS);
    const { issuance } = await world.domain(id);
    expect(issuance.order).toBeUndefined();
    expect(issuance.failure).toMatchObject({
      code: "validation_failed",
      message: refused.message,
    });
  });
});
