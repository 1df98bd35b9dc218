import { expect, test } from "bun:test";

import { inTime, page, refusal, scene, turn } from "./scripted.ts";

test("the first request goes alone, and the others after it returned the remaining limit", async () => {
  const { client, clock, sent } = scene([() => page(2)]);
  const calls = Promise.all([client.pets.list(), client.pets.list(), client.pets.list()]);
  await Promise.resolve();
  expect(sent).toHaveLength(1);
  await inTime(clock, calls);
  expect(sent.map(({ at }) => at)).toEqual([0, 0, 0]);
});

test("with nothing remaining, the next request waits for the reset", async () => {
  const { client, clock, sent } = scene([page(0, 42), page(59)]);
  await client.pets.list();
  await inTime(clock, client.pets.list());
  expect(sent.map(({ at }) => at)).toEqual([0, 42_000]);
});

test("without pacing ahead only a 429 holds requests back", async () => {
  const { client, sent } = scene([page(0)], { paceAhead: false });
  await Promise.all([client.pets.list(), client.pets.list()]);
  await client.pets.list();
  expect(sent.map(({ at }) => at)).toEqual([0, 0, 0]);
});

test("after a 429 no request is sent before Retry-After has passed", async () => {
  const { client, clock, sent } = scene(
    [refusal(429, "rate_limited", { "retry-after": "30" }), () => page(9)],
    { paceAhead: false },
  );
  const first = client.pets.list();
  await turn();
  const others = [client.pets.list(), client.pets.list()];
  await inTime(clock, Promise.all([first, ...others]));
  expect(sent.slice(1).every(({ at }) => at >= 30_000)).toBe(true);
});

test("a wait that would be too long is refused immediately, and again without a request", async () => {
  const { client, sent } = scene([refusal(429, "quota_exceeded", { "retry-after": "80000" })]);
  for (let call = 0; call < 3; call++) {
    const failure: unknown = await client.pets.list().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "quota_exceeded", retryAfterSeconds: 80_000 });
  }
  expect(sent).toHaveLength(1);
});

test("an outdated response does not raise the remaining limit", async () => {
  const slow = Promise.withResolvers<Response>();
  // The slow request was counted before the fast one, so it reports more remaining.
  const { client, clock, sent } = scene([page(3), () => slow.promise, page(1), page(0)]);
  await client.pets.list();
  const [late, quick] = [client.pets.list(), client.pets.list()];
  await quick;
  slow.resolve(page(2));
  await late;
  const rest = Promise.all([client.pets.list(), client.pets.list()]);
  await turn();
  expect(sent).toHaveLength(4);
  await inTime(clock, rest);
});

test("a caller that gives up in the queue does not block the others", async () => {
  const first = Promise.withResolvers<Response>();
  const { client, clock, sent } = scene([() => first.promise, () => page(50)]);
  const calls = [client.pets.list()];
  const leave = new AbortController();
  const given = client.pets.list({}, { signal: leave.signal }).catch(() => "given up");
  calls.push(client.pets.list());
  await turn();
  leave.abort();
  expect(await given).toBe("given up");
  first.resolve(page(50));
  await inTime(clock, Promise.all(calls));
  expect(sent).toHaveLength(2);
});

test("a network failure does not block later requests", async () => {
  const { client, clock, sent } = scene([new Error("reset"), () => page(9)]);
  await inTime(clock, Promise.all([client.pets.list(), client.pets.list()]));
  expect(sent).toHaveLength(3);
});

test("reading the limits does not wait for them", async () => {
  const limits = { plan: "free" };
  const { client, sent } = scene([page(0), Response.json(limits)]);
  await client.pets.list();
  expect(await client.rateLimit()).toMatchObject(limits);
  expect(sent.map(({ at }) => at)).toEqual([0, 0]);
});
