import { deepEqual, equal, ok } from "node:assert/strict";

import { createClient } from "../../lib/client/index.ts";
import { placeAt, eventually, type Place } from "./check.ts";
import type { Host } from "./host.ts";
import { open } from "./raw-http.ts";
import type { Running } from "./running.ts";

/** Requests of each client. */
const REQUESTS = 1_500;
const AT_ONCE = 16;
/** Aborted requests of each round. */
const ABORTED = 300;
const ROUNDS = 4;
/** Growth of the collected heap over the rounds after the first. A leak of one kibibyte for each aborted request exceeds it. */
const HEAP_BYTES = 768 * 1_024;
/** Growth of resident memory where the heap cannot be collected. */
const RESIDENT_BYTES = 48 * 1_024 * 1_024;

/** Two clients of different accounts at the same time: no response of one contains anything of the other. */
export async function keepApart(host: Host, running: Running): Promise<void> {
  const place = await placeAt(host, running, { role: "plain" });
  const clients = [
    await clientOf(place, "ada", place.token),
    await clientOf(place, "bob", place.another),
  ];
  const [first, second] = clients;
  ok(first && second);
  await Promise.all(clients.flatMap((client) => Array.from({ length: AT_ONCE }, () => client())));
  const cursors = [first.cursor(), second.cursor()];
  // A cursor belongs to its catalogue.
  for (const [index, client] of [first, second].entries()) {
    const other = cursors[1 - index];
    ok(other);
    equal(await client.statusOf(other), 400);
  }
}

interface LeakClient {
  (): Promise<void>;
  readonly cursor: () => string | undefined;
  readonly statusOf: (page: string) => Promise<number>;
}

async function clientOf(
  { base, shown, api }: Place,
  name: string,
  token: string,
): Promise<LeakClient> {
  const { id: categoryId } = await createClient({ baseUrl: base, apiKey: token }).categories.create(
    {
      name,
    },
  );
  let sent = 0;
  let next: string | undefined;
  const limits = new Set<string | null>();

  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const id = `${name}-request-${sent++}`;
    const headers = new Headers(init.headers);
    headers.set("x-request-id", id);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
    const answer = await fetch(base + path, { ...init, headers });
    equal(answer.headers.get("x-request-id"), id);
    deepEqual(answer.headers.getSetCookie(), []);
    if (answer.status < 400) limits.add(answer.headers.get("x-ratelimit-limit"));
    ok(limits.size <= 1, `The limits are ${[...limits].join(" and ")}.`);
    return answer;
  };
  const json = { "content-type": "application/json" };
  const create = (): Promise<Response> =>
    ask("/pets", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ name: `${name} ${sent}`, categoryId }),
    });
  const own = (names: readonly string[]): void => {
    ok(
      names.every((one) => one.startsWith(`${name} `)),
      names.join(),
    );
  };

  const kinds: readonly (() => Promise<void>)[] = [
    async () => {
      const made = await create();
      equal(made.status, 201);
      ok(made.headers.get("location")?.startsWith(`${shown}${api}/pets/`));
      own([(await made.json()).name]);
    },
    async () => {
      const listed = await ask(next ?? `/pets?limit=2&categoryId=${categoryId}`);
      equal(listed.status, 200);
      const pets: readonly { readonly name: string }[] = await listed.json();
      own(pets.map((pet) => pet.name));
      const link = /<([^>]*)>; rel="next"/.exec(listed.headers.get("link") ?? "")?.[1];
      next = link?.slice((shown + api).length) ?? next;
    },
    async () => {
      const read = await ask("/pets?limit=1", { method: "HEAD" });
      deepEqual([read.status, await read.text()], [200, ""]);
    },
    async () => {
      const large = await ask("/pets", { method: "POST", headers: json, body: "x".repeat(70_000) });
      deepEqual([large.status, (await large.json()).code], [413, "payload_too_large"]);
    },
    async () => {
      const gone = await ask(`/${name}`);
      deepEqual([gone.status, (await gone.json()).code], [404, "route_not_found"]);
    },
    // Left before, while and after the response is made.
    async () => {
      const leave = new AbortController();
      const reading = ask("/pets?limit=100", { signal: leave.signal }).then(
        (answer) => answer.text(),
        (error: unknown) => {
          if (!leave.signal.aborted) throw error;
        },
      );
      for (let turn = sent % 5; turn > 0; turn--) await Promise.resolve();
      leave.abort();
      await reading.catch((error: unknown) => {
        if (!leave.signal.aborted) throw error;
      });
    },
  ];
  // So that lists and cursors are never empty.
  for (let time = 0; time < 4; time++) await create();
  await kinds[1]?.();

  const run = async (): Promise<void> => {
    while (sent < REQUESTS) await kinds[(sent * 7) % kinds.length]?.();
  };
  return Object.assign(run, {
    cursor: () => next,
    statusOf: async (page: string) => (await ask(page)).status,
  });
}

/** Aborted requests leave no socket, no open file and no memory behind. */
export async function leaveNothing(host: Host, running: Running): Promise<string> {
  const place = await placeAt(host, running, { role: "plain" });
  const measured: { readonly handles: number; readonly resident: number; readonly heap: number }[] =
    [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = await place.facts();
    for (let started = 0; started < ABORTED; started += AT_ONCE) await abort(place);
    await eventually(
      place.facts,
      (now) => now.hanging - before.hanging === now.aborted - before.aborted,
    );
    const { handles } = await steady(running);
    const { bytes: heap = 0 }: { readonly bytes?: number } = await (
      await place.probe("heap")
    ).json();
    const { resident } = await running.usage();
    measured.push({ handles, resident, heap });
  }
  const [, second] = measured;
  const last = measured.at(-1);
  ok(second && last);
  // Connections that clients keep open come and go.
  ok(
    last.handles - second.handles <= 8,
    `It holds ${last.handles} handles, after ${second.handles}.`,
  );
  const heap = last.heap - second.heap;
  const resident = last.resident - second.resident;
  if (last.heap > 0) ok(heap < HEAP_BYTES, `The heap grew by ${heap} bytes.`);
  else ok(resident < RESIDENT_BYTES, `Memory grew by ${resident} bytes.`);
  return `${last.handles} handles, heap ${heap}, resident ${resident}`;
}

/** Leaves `AT_ONCE` requests: before their response, in the middle of a stream, or in the middle of their own body. */
async function abort(place: Place): Promise<void> {
  const before = await place.facts();
  const leave = new AbortController();
  const hanging = Array.from({ length: AT_ONCE / 2 }, () =>
    place.probe("hang", { signal: leave.signal }).catch(ignored),
  );
  await Promise.all(
    Array.from({ length: AT_ONCE / 4 }, () => [leaveStream(place), leaveBody(place)]).flat(),
  );
  // Some servers do not tell a handler of a client that left before it was called.
  await eventually(place.facts, (now) => now.hanging - before.hanging >= hanging.length);
  leave.abort();
  await Promise.all(hanging);
}

async function leaveStream({ probe }: Place): Promise<void> {
  const leave = new AbortController();
  const flood = await probe("flood", { signal: leave.signal });
  const reader = flood.body?.getReader();
  await reader?.read();
  leave.abort();
  await reader?.cancel().catch(ignored);
}

async function leaveBody({ origin, api, token }: Place): Promise<void> {
  const socket = open(origin);
  const closed = new Promise((resolve) => void socket.on("close", resolve));
  const lines = [
    `POST ${api}/pets HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    "Content-Length: 1000",
    `Authorization: Bearer ${token}`,
    "",
    '{"name":',
  ];
  await new Promise<void>((resolve) => void socket.write(lines.join("\r\n"), () => resolve()));
  socket.destroy();
  await closed;
}

function ignored(): undefined {}

/** Waits until closed connections have left. */
async function steady(running: Running) {
  let before = await running.usage();
  for (let equalTimes = 0; equalTimes < 3;) {
    await Bun.sleep(50);
    const now = await running.usage();
    equalTimes = now.handles === before.handles ? equalTimes + 1 : 0;
    before = now;
  }
  return before;
}
