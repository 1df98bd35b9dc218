import { expect, test } from "bun:test";
import { isoTime } from "../../../lib/base/clock.ts";
import { createPetstore } from "../../../lib/index.ts";
import type { Principal } from "../../../lib/accounts/principal.ts";
import { api } from "../../helpers/api.ts";
import { readEvents, type EventReader } from "../../helpers/event-reader.ts";
import { BASE, openOffice, principal, START, type Office } from "../../helpers/management.ts";

interface Told {
  readonly seq: number;
  readonly type: string;
  readonly accountId: string;
}

const rename = async (
  office: Office,
  name: string,
  accountId = office.accountId,
): Promise<void> => {
  const renamed = await office.petstore.client.accounts.rename({ accountId, name });
  if (!renamed.ok) throw new Error(renamed.failure.message);
};

const anotherAccount = async ({ petstore }: Office): Promise<string> => {
  const made = await petstore.client.accounts.create({ name: "Beavers" });
  if (!made.ok) throw new Error(made.failure.message);
  return made.value.id;
};

const pathOf = ({ accountId }: Office, query = ""): string =>
  `/manage/v1/accounts/${accountId}/events${query}`;

/** Follows events as the account's viewer, or as the given principal. */
async function follow(
  office: Office,
  {
    query = "",
    headers = {},
    path = pathOf(office, query),
    who = principal("viewer", office.accountId),
    token,
    signal,
  }: {
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly path?: string;
    readonly who?: Principal;
    /** Uses credentials instead of a principal. */
    readonly token?: string;
    readonly signal?: AbortSignal;
  } = {},
): Promise<EventReader> {
  const request = new Request(BASE + path, {
    headers: {
      accept: "text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const response = await office.ask(request, token === undefined ? who : undefined);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const reader = readEvents(response, office.clock);
  expect(await reader.next()).toMatchObject({ comment: "open", retry: "2000" });
  return reader;
}

/** Lets a waiting stream read again. */
async function look(office: Office, reader: EventReader): Promise<boolean> {
  const before = await reader.silent();
  office.clock.advance(250);
  return before && (await reader.silent());
}

test("an account's events can be listed newest first, page by page", async () => {
  const office = await openOffice();
  const other = await anotherAccount(office);
  await rename(office, "A");
  await rename(office, "B", other);
  await rename(office, "C");
  const namesAt = async (path: string) => {
    const { body, headers } = await office
      .as("viewer")
      .get<readonly (Told & { readonly data: { readonly account: { readonly name: string } } })[]>(
        path,
      );
    const [, next] = /<([^>]+)>/.exec(headers.get("link") ?? "") ?? [];
    return { names: body.map(({ data }) => data.account.name), next: next?.replace(BASE, "") };
  };
  const first = await namesAt(pathOf(office, "?order=newest&limit=2&types=account.updated"));
  expect(first.names).toEqual(["C", "A"]);
  const second = await namesAt(first.next ?? "");
  expect(second).toEqual({ names: [], next: undefined });
  const whole = await namesAt(pathOf(office, "?order=newest&limit=2"));
  expect(whole.names).toEqual(["C", "A"]);
  expect((await namesAt(whole.next ?? "")).names).toHaveLength(1);
});

test("an account's events are listed oldest first, without other accounts'", async () => {
  const office = await openOffice();
  const other = await anotherAccount(office);
  await rename(office, "A");
  await rename(office, "B", other);
  const { status, body } = await office.as("viewer").get<readonly Told[]>(pathOf(office));
  expect(status).toBe(200);
  expect(body.map(({ type }) => type)).toEqual(["account.created", "account.updated"]);
  const [first]: readonly unknown[] = body;
  expect(first).toEqual({
    seq: expect.any(Number),
    type: "account.created",
    accountId: office.accountId,
    at: isoTime(START),
    data: {
      account: {
        id: office.accountId,
        name: "Otters",
        plan: "free",
        limits: { perMinute: 60, perDay: 1_000 },
        createdAt: isoTime(START),
      },
    },
  });
});

test("only an operator sees the events of all accounts", async () => {
  const office = await openOffice();
  const other = await anotherAccount(office);
  const { body } = await office.as("operator").get<readonly Told[]>("/manage/v1/events");
  expect(body.map(({ accountId }) => accountId)).toEqual([office.accountId, other]);
  expect((await office.as("owner").get("/manage/v1/events")).status).toBe(403);
  expect((await office.as("owner", other).get(pathOf(office))).status).toBe(404);
});

test("a catalogue's event has its environment, and no internal id", async () => {
  const office = await openOffice();
  const { accountId } = office;
  for (const environment of ["staging", "production"] as const) {
    const rows = [{ name: "Rex", categoryId: 1 }];
    await office.petstore.client.pets.import({ accountId, environment, rows });
  }
  const { body } = await office
    .as("viewer")
    .get<readonly object[]>(pathOf(office, "?types=pet.created"));
  expect(body).toMatchObject([{ environment: "staging" }, { environment: "production" }]);
  for (const event of body) expect(event).not.toHaveProperty("catalogueId");
});

test("events of one environment exclude those of the other, in pages and streams", async () => {
  const office = await openOffice();
  const { accountId } = office;
  const add = (environment: "staging" | "production", name: string) =>
    office.petstore.client.pets.import({ accountId, environment, rows: [{ name, categoryId: 1 }] });
  for (const name of ["A", "B", "C"]) await add("staging", name);
  await add("production", "Rex");
  await rename(office, "Beavers");
  await add("staging", "D");
  const pageAt = async (path: string) => {
    const { body, headers } = await office
      .as("viewer")
      .get<readonly { readonly type: string; readonly environment?: string }[]>(path);
    const [, next] = /<([^>]+)>/.exec(headers.get("link") ?? "") ?? [];
    const lines = body.map(({ type, environment }) => [type, environment]);
    return { lines, next: next?.replace(BASE, "") };
  };
  const first = await pageAt(pathOf(office, "?order=newest&limit=2&environment=production"));
  expect(first.lines).toEqual([
    ["account.updated", undefined],
    ["pet.created", "production"],
  ]);
  expect((await pageAt(first.next ?? "")).lines).toEqual([["account.created", undefined]]);

  const reader = await follow(office, { query: "?after=0&environment=staging&types=pet.created" });
  for (let count = 0; count < 4; count++) {
    expect((await reader.next())?.data).toMatchObject({ environment: "staging" });
  }
});

test("pages link to the next, also with types, and the last one has no link", async () => {
  const office = await openOffice();
  for (let count = 0; count < 5; count++) await rename(office, `Name ${count}`);
  const seen: number[] = [];
  let path = pathOf(office, "?limit=2&types=account.updated");
  for (let pages = 0; pages < 9 && path !== ""; pages++) {
    const { body, headers } = await office.as("viewer").get<readonly Told[]>(path);
    expect(body.length).toBeLessThanOrEqual(2);
    seen.push(...body.map(({ seq }) => seq));
    const next = /^<(.*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1] ?? "";
    path = next.replace(BASE, "");
  }
  expect(path).toBe("");
  expect(seen).toHaveLength(5);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

for (const query of [
  "?after=-1",
  "?limit=0",
  "?limit=501",
  "?types=",
  "?types=pet.born",
  "?environment=prod",
]) {
  test(`${query} is refused`, async () => {
    const office = await openOffice();
    expect((await office.as("viewer").get(pathOf(office, query))).status).toBe(400);
  });
}

test("a stream starts with the current event", async () => {
  const office = await openOffice();
  const reader = await follow(office);
  expect(await look(office, reader)).toBe(true);
  await rename(office, "New");
  office.clock.advance(250);
  const heard = await reader.next();
  expect(heard).toMatchObject({
    event: "account.updated",
    data: {
      type: "account.updated",
      accountId: office.accountId,
      data: { account: { name: "New" } },
    },
  });
  expect(heard?.data).toMatchObject({ seq: Number(heard?.id) });
  await reader.leave();
});

test("events missed since Last-Event-ID, or after a given number, are sent first", async () => {
  const office = await openOffice();
  const { body } = await office.as("viewer").get<readonly Told[]>(pathOf(office));
  const seq = String(body[0]?.seq);
  await rename(office, "First");
  await rename(office, "Second");
  for (const how of [{ headers: { "last-event-id": seq } }, { query: `?after=${seq}` }]) {
    const reader = await follow(office, how);
    expect(await reader.next()).toMatchObject({ data: { data: { account: { name: "First" } } } });
    expect(await reader.next()).toMatchObject({ data: { data: { account: { name: "Second" } } } });
    await reader.leave();
  }
  const both = await follow(office, { headers: { "last-event-id": seq }, query: "?after=999" });
  expect(await both.next()).toMatchObject({ data: { data: { account: { name: "First" } } } });
  await both.leave();
});

test("an unknown number counts as the newest", async () => {
  const office = await openOffice();
  const reader = await follow(office, { headers: { "last-event-id": "999999" } });
  expect(await look(office, reader)).toBe(true);
  await rename(office, "New");
  office.clock.advance(250);
  expect(await reader.next()).toMatchObject({ event: "account.updated" });
  await reader.leave();
});

test("a malformed Last-Event-ID is refused", async () => {
  const office = await openOffice();
  const headers = { accept: "text/event-stream", "last-event-id": "1 OR 1=1" };
  const reply = await office.as("viewer").get(pathOf(office), { headers });
  expect([reply.status, reply.body]).toMatchObject([400, { code: "invalid_parameter" }]);
});

test("commits of other processes are streamed too", async () => {
  const office = await openOffice();
  const other = createPetstore({ store: office.store, clock: office.clock });
  const reader = await follow(office);
  expect(await look(office, reader)).toBe(true);
  await other.client.accounts.rename({ accountId: office.accountId, name: "There" });
  office.clock.advance(250);
  expect(await reader.next()).toMatchObject({ data: { data: { account: { name: "There" } } } });
  await reader.leave();
});

test("a stream of one account omits the others", async () => {
  const office = await openOffice();
  const other = await anotherAccount(office);
  const reader = await follow(office);
  await rename(office, "Secret", other);
  expect(await look(office, reader)).toBe(true);
  await reader.leave();
});

test("an idle stream sends a comment every fifteen seconds", async () => {
  const office = await openOffice();
  const reader = await follow(office);
  for (let quarter = 0; quarter < 59; quarter++) expect(await look(office, reader)).toBe(true);
  expect(await look(office, reader)).toBe(false);
  expect(await reader.next()).toEqual({ comment: "" });
  await reader.leave();
});

test("a stream ends within a second after its token was revoked", async () => {
  const office = await openOffice();
  const { token, id } = await office.issue("viewer");
  const reader = await follow(office, { token });
  for (let quarter = 0; quarter < 8; quarter++) expect(await look(office, reader)).toBe(true);
  await office.as("operator").delete(`/manage/v1/accounts/${office.accountId}/tokens/${id}`);
  for (let quarter = 0; quarter < 4; quarter++) await look(office, reader);
  // The last chunk may contain the end itself.
  const heard = [await reader.next(), await reader.next()];
  expect(heard).toContain(undefined);
});

test("a busy stream also ends when its token was revoked", async () => {
  const office = await openOffice();
  const { token, id } = await office.issue("viewer");
  const reader = await follow(office, { token });
  await office.as("operator").delete(`/manage/v1/accounts/${office.accountId}/tokens/${id}`);
  let over = false;
  for (let second = 0; second < 17 && !over; second++) {
    await rename(office, `Name ${second}`);
    await reader.silent();
    office.clock.advance(1_000);
    over = (await reader.next()) === undefined;
  }
  expect(over).toBe(true);
});

test("a stream ends when its account is deleted", async () => {
  const office = await openOffice();
  const reader = await follow(office, { who: principal("operator") });
  await office.petstore.client.accounts.delete(office.accountId);
  office.clock.advance(250);
  expect(await reader.next()).toMatchObject({ event: "account.deleted" });
  for (let quarter = 0; quarter < 61; quarter++) await look(office, reader);
  expect(await reader.next()).toBeUndefined();
});

test("all streams end when the service stops, read or not", async () => {
  const office = await openOffice();
  const [read, unread] = [await follow(office), await follow(office)];
  const waiting = read.next();
  await office.management.close();
  expect(await waiting).toBeUndefined();
  expect(await unread.next()).toBeUndefined();
});

test("a token can have twenty streams, and one more after one ends", async () => {
  const office = await openOffice();
  const leaving = new AbortController();
  const readers = [await follow(office, { signal: leaving.signal })];
  while (readers.length < 20) readers.push(await follow(office));
  const headers = { accept: "text/event-stream" };
  const refused = await office.as("viewer").get(pathOf(office), { headers });
  expect([refused.status, refused.body]).toMatchObject([409, { code: "limit_reached" }]);
  const colleague = await follow(office, { who: principal("staff", office.accountId) });
  await readers[7]?.leave();
  readers.push(await follow(office));
  leaving.abort();
  readers.push(await follow(office));
  await colleague.leave();
  for (const reader of readers) await reader.leave();
});

test("nothing is read for a reader that does not read", async () => {
  let reads = 0;
  const office = await openOffice({
    store: (store) => ({
      ...store,
      events: {
        ...store.events,
        after: (...page) => {
          reads++;
          return store.events.after(...page);
        },
      },
    }),
  });
  const who = principal("viewer", office.accountId);
  const headers = { accept: "text/event-stream", "last-event-id": "0" };
  const response = await office.ask(new Request(BASE + pathOf(office), { headers }), who);
  for (let count = 0; count < 300; count++) await rename(office, `Name ${count}`);
  for (let turn = 0; turn < 50; turn++) {
    office.clock.advance(250);
    await Bun.sleep(0);
  }
  expect(reads).toBeLessThanOrEqual(1);
  const reader = readEvents(response, office.clock);
  await reader.next();
  const seen = new Set<string | undefined>();
  for (let count = 0; count < 301; count++) seen.add((await reader.next())?.id);
  expect(seen.size).toBe(301);
  await reader.leave();
});

test("a HEAD request does not occupy a stream", async () => {
  const office = await openOffice();
  const headers = { accept: "text/event-stream" };
  for (let count = 0; count < 25; count++) {
    const reply = await office.as("viewer").raw("HEAD", pathOf(office), { headers });
    expect(reply.status).toBe(200);
  }
});

test("a failing store ends the stream, and the reader reconnects", async () => {
  let broken = false;
  const lines: string[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (message: string) => lines.push(message),
  };
  const office = await openOffice({
    log,
    store: (store) => ({
      ...store,
      events: {
        ...store.events,
        after: (...page) => {
          if (broken) throw new Error("the disk is gone");
          return store.events.after(...page);
        },
      },
    }),
  });
  const reader = await follow(office);
  expect(await reader.silent()).toBe(true);
  broken = true;
  office.clock.advance(250);
  expect(await reader.next()).toBeUndefined();
  expect(lines).toEqual(["a stream failed"]);
});

test("a stream must be requested by its media type", async () => {
  const office = await openOffice();
  const shop = api({
    fetch: (request) => office.ask(request, principal("viewer", office.accountId)),
    base: BASE,
  });
  const { headers } = await shop.get(pathOf(office), { headers: { accept: "*/*" } });
  expect(headers.get("content-type")).toStartWith("application/json");
});
