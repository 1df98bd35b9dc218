import { describe, expect, test } from "bun:test";

import { SECOND_MS } from "../../lib/base/clock.ts";
import { silentLog } from "../../lib/base/log.ts";
import {
  createPetstore,
  scopes as allScopes,
  type FetchContext,
  type PetstoreOptions,
  type PublicPrincipal,
  type RequestEntry,
  type Scope,
} from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../testing/clock.ts";
import { operations, send } from "../conformance/operations.ts";
import { addPet } from "../conformance/expect.ts";
import { api, type Api } from "../helpers/api.ts";
import { must } from "../helpers/outcome.ts";

const START = 1_794_960_000_000;
const ACTOR = { id: "user-1" };

interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A petstore with two accounts, whose host knows its users. */
async function open(options: Partial<PetstoreOptions> = {}) {
  const clock = manualClock(START);
  const store = memoryStore();
  const failures: unknown[] = [];
  const log = { ...silentLog, error: (_text: string, error: unknown) => failures.push(error) };
  const petstore = createPetstore({ store, clock, log, ...options });
  const roomy = { perMinute: 10_000, perDay: 100_000 };
  const accountOf = async (name: string, limits = roomy): Promise<string> =>
    must(await petstore.client.accounts.create({ name, plan: "enterprise", limits })).id;
  const keyOf = async (accountId: string, scopes: readonly Scope[] = allScopes) => {
    const { token, view } = must(await petstore.client.keys.create({ accountId, scopes }));
    return { id: view.id, api: api({ fetch: petstore.fetch, key: token }) };
  };
  /** Sends requests with a context of the host. */
  const withContext = (context: object, key?: string): Api =>
    api({ fetch: (request) => petstore.fetch(request, context), key });
  const as = (principal: PublicPrincipal, more: FetchContext = {}): Api =>
    withContext({ ...more, principal });
  return {
    clock,
    store,
    petstore,
    failures,
    accountOf,
    keyOf,
    withContext,
    as,
    ours: await accountOf("Otters"),
    theirs: await accountOf("Foxes"),
  };
}

describe("a user of the host may do what a key with the same scopes may:", () => {
  for (const operation of operations) {
    const { operationId, scope } = operation;
    const sets: readonly (readonly Scope[])[] = [
      allScopes,
      ...(scope === undefined ? [] : [[scope], allScopes.filter((one) => one !== scope)]),
    ];
    test(operationId, async () => {
      const { as, keyOf, ours } = await open();
      for (const scopes of sets) {
        const preparing = (await keyOf(ours)).api;
        const [byKey, byUser] = [
          await send<Failure>(
            (await keyOf(ours, scopes)).api,
            operation,
            await operation.prepare(preparing),
          ),
          await send<Failure>(
            as({ account: ours, scopes, actor: ACTOR }),
            operation,
            await operation.prepare(preparing),
          ),
        ];
        expect([scopes, byUser.status, byUser.body?.code]).toEqual([
          scopes,
          byKey.status,
          byKey.body?.code,
        ]);
        const mayCall: boolean = scope === undefined || scopes.includes(scope);
        expect([scopes, byUser.status === operation.success]).toEqual([scopes, mayCall]);
      }
      const sample = await operation.prepare((await keyOf(ours)).api);
      const powerless = as({ account: ours, scopes: [], actor: ACTOR });
      const { status } = await send(powerless, operation, sample);
      expect(status).toBe(scope === undefined ? operation.success : 403);
    });

    test(`${operationId} reaches no other account`, async () => {
      const { as, keyOf, ours, theirs } = await open();
      const other = (await keyOf(theirs)).api;
      await addPet(other, { name: "Theirs" });
      const reach = async (caller: Api) =>
        send<Failure>(caller, operation, await operation.prepare(other));
      const byKey = await reach((await keyOf(ours)).api);
      const byUser = await reach(as({ account: ours, scopes: allScopes, actor: ACTOR }));
      expect([byUser.status, byUser.body?.code]).toEqual([byKey.status, byKey.body?.code]);
      expect(byUser.text).not.toContain("Theirs");
    });
  }
});

describe("a wrong principal is a 500 and no access:", () => {
  const account = "acc_000000000000";
  const wrong: Readonly<Record<string, readonly [principal: unknown, fault: RegExp]>> = {
    "a text": ["user-1", /takes an object of options/],
    "the value false": [() => false, /takes an object of options/],
    "no actor": [{}, /actor must be the user/],
    "an actor without an id": [{ actor: {} }, /actor\.id must be a text of 1 to 128/],
    "an actor with a space": [
      { actor: { id: "a b" } },
      /actor\.id must .*, not one that is empty or has others/,
    ],
    "an actor that is too long": [
      { actor: { id: "a".repeat(300) } },
      /actor\.id must .*, not one of 300/,
    ],
    "an actor with a number": [{ actor: { id: 7 } }, /actor\.id must .*, not number/],
    "an actor that looks like an operator's": [{ actor: { id: "a:operators" } }, /actor\.id must/],
    "an actor of another kind": [{ actor: { id: "a", kind: "system" } }, /actor\.kind must be/],
    "an unknown scope": [
      { actor: ACTOR, scopes: ["pets:read", "pets:own"] },
      /scopes must be a list .*, not a list with "pets:own"/,
    ],
    "a scope instead of a list": [{ actor: ACTOR, scopes: "pets:read" }, /scopes must be a list/],
    "scopes that are undefined": [{ actor: ACTOR, scopes: undefined }, /scopes is undefined/],
    "an account that is undefined": [{ actor: ACTOR, account: undefined }, /account is undefined/],
    "an account that is null": [{ actor: ACTOR, account: null }, /account must be the id/],
    "all accounts": [{ actor: ACTOR, account: "all" }, /account must be the id/],
    "an account that does not exist": [
      { actor: ACTOR, account },
      /the account acc_000000000000 does not exist/,
    ],
    "a limit key with a space": [{ actor: ACTOR, limitKey: "a b" }, /limitKey must be/],
    "a role": [{ actor: ACTOR, role: "owner" }, /role does not exist/],
    "a misspelt member": [{ actor: ACTOR, acount: account }, /Did you mean account/],
    "a function that throws": [
      () => {
        throw new TypeError("no session store");
      },
      /no session store/,
    ],
    "a promise that rejects": [() => Promise.reject(new Error("no session store")), /no session/],
    "a promise of a wrong one": [() => Promise.resolve({ actor: ACTOR, scopes: "*" }), /scopes/],
  };
  for (const [name, [principal, fault]] of Object.entries(wrong)) {
    test(name, async () => {
      const { failures, withContext, store } = await open();
      const reported: unknown[] = [];
      const onError = (error: unknown): void => void reported.push(error);
      const seq = await store.events.last();
      const host = withContext({ principal, onError });
      const reply = await host.post<Failure>("/v1/pets", { name: "Rex", categoryId: 1 });
      expect([reply.status, reply.body.code]).toEqual([500, "internal_error"]);
      expect(reply.text).not.toContain("principal");
      expect(String(failures[0])).toMatch(fault);
      expect(reported).toEqual([failures[0]]);
      expect(await store.events.last()).toBe(seq);
    });
  }

  test("a promise that rejects while the code is loaded for it, or for a request log", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    try {
      for (const options of [{}, { requestLog: { offer: () => undefined } }]) {
        const { withContext } = await open(options);
        const host = withContext({ principal: Promise.reject(new Error("no session store")) });
        expect((await host.get("/v1/pets")).status).toBe(500);
      }
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  const endless = new Promise(() => {});
  test.each([
    ["a function that does not answer", () => endless],
    ["a promise that does not resolve", endless],
  ])("%s in time", async (_name, principal) => {
    const { clock, failures, withContext } = await open();
    // Loads the code, so that the time begins with the next request.
    await withContext({ principal: () => null }).get("/v1/pets");
    const reply = withContext({ principal }).get("/v1/pets");
    await clock.advance(10 * SECOND_MS);
    expect((await reply).status).toBe(500);
    expect(String(failures[0])).toContain("within 10 seconds");
  });

  test("also if reporting it fails", async () => {
    const { withContext } = await open();
    const onError = (): never => {
      throw new Error("no disk");
    };
    const host = withContext({ principal: 7, onError });
    expect((await host.get("/v1/pets")).status).toBe(500);
  });
});

test("a thenable of a library does its work once", async () => {
  const { withContext, ours } = await open();
  let queries = 0;
  const principal = {
    // oxlint-disable-next-line unicorn/no-thenable -- as query builders have it
    then: (found: (value: unknown) => void) => {
      queries++;
      found({ actor: ACTOR, account: ours });
    },
  };
  expect((await withContext({ principal }).get("/v1/pets")).status).toBe(200);
  expect(queries).toBe(1);
});

describe("without a signed-in user the key counts:", () => {
  for (const nobody of [undefined, null]) {
    for (const principal of [() => nobody, async () => nobody]) {
      test(String(principal), async () => {
        const { petstore, keyOf, ours, withContext } = await open();
        const token = must(await petstore.client.keys.create({ accountId: ours })).token;
        expect((await withContext({ principal }, token).get("/v1/pets")).status).toBe(200);
        const reply = await withContext({ principal }).get<Failure>("/v1/pets");
        expect([reply.status, reply.body.code]).toEqual([401, "missing_api_key"]);
        const same = await (await keyOf(ours)).api.as(undefined).get("/v1/pets");
        expect(reply.text).toBe(same.text);
        expect(reply.headers.get("access-control-allow-origin")).toBe("*");
      });
    }
  }
});

test("the host is asked only for requests that need a caller, and once for each", async () => {
  const { ours, withContext } = await open();
  let asked = 0;
  const host = withContext({
    principal: () => {
      asked++;
      return { account: ours, actor: ACTOR };
    },
  });
  await host.get("/v1/openapi.json");
  await host.get("/v1/nothing");
  await host.raw("PUT", "/v1/pets");
  await host.raw("OPTIONS", "/v1/pets");
  expect(asked).toBe(0);
  await host.get("/v1/pets");
  await host.post("/v1/pets", { name: "Rex", categoryId: 1 });
  expect(asked).toBe(2);
});

test("a key beside a principal is ignored, be it valid or not", async () => {
  const { petstore, ours, theirs, withContext } = await open();
  const { token } = must(await petstore.client.keys.create({ accountId: theirs }));
  await withContext({}, token).post("/v1/pets", { name: "Theirs", categoryId: 1 });
  for (const key of [token, "pet_live_wrong"]) {
    const reply = await withContext({ principal: { account: ours, actor: ACTOR } }, key).get(
      "/v1/pets",
    );
    expect([reply.status, reply.body]).toEqual([200, []]);
  }
});

test("without an account, a user acts in the default account, with the default scopes", async () => {
  const { as, petstore } = await open();
  const user = as({ actor: ACTOR });
  const { id } = await addPet(user, { name: "Rex" });
  expect(must(await petstore.client.pets.byId({ petId: id })).name).toBe("Rex");
  await user.patch(`/v1/pets/${id}`, { status: "sold" });
  expect((await user.patch<Failure>(`/v1/pets/${id}`, { status: "available" })).body.code).toBe(
    "insufficient_scope",
  );
});

test("each environment has its own catalogue for the same user", async () => {
  const { as, store, clock, ours } = await open();
  const staging = createPetstore({ store, clock, environment: "staging" });
  const principal = { account: ours, actor: ACTOR };
  await addPet(as(principal), { name: "Rex" });
  const reply = await staging.fetch(new Request("http://localhost/v1/pets"), { principal });
  expect(await reply.json()).toEqual([]);
});

describe("limits:", () => {
  const remaining = async (caller: Api): Promise<readonly unknown[]> => {
    const { status, headers } = await caller.get("/v1/pets");
    return [status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")];
  };

  test("users share those of the account's keys, and the headers say so", async () => {
    const { as, accountOf, keyOf } = await open();
    const account = await accountOf("Small", { perMinute: 3, perDay: 100 });
    const key = (await keyOf(account)).api;
    expect(await remaining(key)).toEqual([200, "3", "2"]);
    expect(await remaining(as({ account, actor: ACTOR }))).toEqual([200, "3", "1"]);
    expect(await remaining(as({ account, actor: { id: "other" } }))).toEqual([200, "3", "0"]);
    const refused = await as({ account, actor: ACTOR }).get<Failure>("/v1/pets");
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(await remaining(key)).toEqual([429, "3", "0"]);
  });

  test("those with a limit key are counted together and apart from all others", async () => {
    const { as, accountOf } = await open();
    const account = await accountOf("Small", { perMinute: 2, perDay: 100 });
    const [ann, ben, eve] = [
      as({ account, actor: { id: "ann" }, limitKey: "desk" }),
      as({ account, actor: { id: "ben" }, limitKey: "desk" }),
      as({ account, actor: { id: "eve" } }),
    ];
    expect(await remaining(ann)).toEqual([200, "2", "1"]);
    expect(await remaining(ben)).toEqual([200, "2", "0"]);
    expect(await remaining(eve)).toEqual([200, "2", "1"]);
    expect(await remaining(ann)).toEqual([429, "2", "0"]);
  });

  test("with countBy key, each user has their own", async () => {
    const { as, accountOf } = await open({ countBy: "key" });
    const account = await accountOf("Small", { perMinute: 2, perDay: 100 });
    expect(await remaining(as({ account, actor: { id: "ann" } }))).toEqual([200, "2", "1"]);
    expect(await remaining(as({ account, actor: { id: "ben" } }))).toEqual([200, "2", "1"]);
  });

  test("the same limit key of two accounts is two", async () => {
    const { as, accountOf } = await open();
    for (const name of ["One", "Two"]) {
      const account = await accountOf(name, { perMinute: 2, perDay: 100 });
      expect(await remaining(as({ account, actor: ACTOR, limitKey: "desk" }))).toEqual([
        200,
        "2",
        "1",
      ]);
    }
  });

  test("GET /rate-limit costs nothing, and each user may call it 60 times a minute", async () => {
    const { as, ours } = await open();
    const user = as({ account: ours, actor: ACTOR });
    for (let count = 0; count < 60; count++) {
      const { body } = await user.get("/v1/rate-limit");
      expect(body).toMatchObject({
        plan: "enterprise",
        minute: { remaining: 10_000 },
        bannedUntil: null,
      });
    }
    expect((await user.get("/v1/rate-limit")).status).toBe(429);
    expect((await as({ account: ours, actor: { id: "b" } }).get("/v1/rate-limit")).status).toBe(
      200,
    );
  });

  test("users who ignore them are not banned, and no key is for them", async () => {
    const { as, accountOf, keyOf, clock, store } = await open();
    const account = await accountOf("Small", { perMinute: 1, perDay: 100 });
    const key = await keyOf(account);
    const user = as({ account, actor: ACTOR });
    for (let count = 0; count < 30; count++) {
      await user.get("/v1/pets");
      clock.advance(count === 1 ? 3 * SECOND_MS : 0);
    }
    expect((await user.get<Failure>("/v1/pets")).body.code).toBe("rate_limited");
    expect((await store.keys.byId(key.id))?.ban).toBeUndefined();
    expect((await key.api.get<Failure>("/v1/pets")).body.code).toBe("rate_limited");
  });

  test("a failure of the service is given back", async () => {
    const broken = memoryStore();
    const { as, accountOf } = await open({
      store: {
        ...broken,
        pets: { ...broken.pets, list: () => Promise.reject(new Error("broken")) },
      },
    });
    const user = as({
      account: await accountOf("Small", { perMinute: 2, perDay: 100 }),
      actor: ACTOR,
    });
    expect(await remaining(user)).toEqual([500, "2", "2"]);
  });

  test("a threshold of the day is reported if the users share the account's limits", async () => {
    const { as, accountOf, petstore, store, clock } = await open();
    const account = await accountOf("Small", { perMinute: 100, perDay: 5 });
    const reports = async (principal: PublicPrincipal): Promise<number> => {
      const seq = await store.events.last();
      for (let count = 0; count < 4; count++) await as(principal).get("/v1/pets");
      clock.advance(SECOND_MS);
      await petstore.jobs.tick();
      const events = await store.events.after(seq, 100);
      return events.filter(({ type }) => type === "quota.threshold_reached").length;
    };
    expect(await reports({ account, actor: ACTOR, limitKey: "desk" })).toBe(0);
    expect(await reports({ account, actor: ACTOR })).toBe(1);
  });
});

test("a suspended account is refused, and again served once it is resumed", async () => {
  const { as, petstore, ours } = await open();
  const user = as({ account: ours, actor: ACTOR });
  expect((await user.get("/v1/pets")).status).toBe(200);
  await petstore.client.accounts.suspend(ours);
  expect((await user.get<Failure>("/v1/pets")).body.code).toBe("account_suspended");
  await petstore.client.accounts.resume(ours);
  expect((await user.get("/v1/pets")).status).toBe(200);
  await petstore.client.accounts.delete(ours);
  expect((await user.get("/v1/pets")).status).toBe(500);
});

test("events name the user, and the address", async () => {
  const { as, store, ours } = await open();
  const seq = await store.events.last();
  await addPet(as({ account: ours, actor: { id: "auth0|7:x" } }, { address: "192.0.2.7" }));
  const [event] = await store.events.recorded(seq, 1);
  expect(event?.actor).toEqual({ kind: "user", id: "auth0|7:x" });
  expect(event?.origin).toEqual({ channel: "api", address: "192.0.2.7" });
});

test("an idempotency key belongs to one user, and to no API key", async () => {
  const { as, keyOf, ours } = await open();
  const callers = [
    as({ account: ours, actor: { id: "ann" } }),
    as({ account: ours, actor: { id: "ben" } }),
    (await keyOf(ours)).api,
  ];
  const ids: unknown[] = [];
  for (const caller of callers) {
    for (let count = 0; count < 2; count++) {
      const headers = { "idempotency-key": "once" };
      const body = { name: "Rex", categoryId: 1 };
      const reply = await caller.post<{ id: number }>("/v1/pets", body, { headers });
      expect(reply.headers.get("idempotent-replayed")).toBe(count === 0 ? null : "true");
      ids.push(reply.body.id);
    }
  }
  expect(ids).toEqual([1, 1, 2, 2, 3, 3]);
});

test("a cursor belongs to the account, not to the user", async () => {
  const { as, ours, theirs } = await open();
  const user = as({ account: ours, actor: ACTOR });
  for (let count = 0; count < 3; count++) await addPet(user);
  const { headers } = await user.get("/v1/pets?limit=1");
  const next = /<[^>]*(\/v1\/pets\?[^>]*cursor=[^>]*)>; rel="next"/.exec(
    headers.get("link") ?? "",
  )?.[1];
  expect((await user.get(next ?? "")).status).toBe(200);
  const stranger = as({ account: theirs, actor: ACTOR });
  expect((await stranger.get<Failure>(next ?? "")).body.code).toBe("invalid_cursor");
});

test("answers are validated by ETag, which differs between accounts", async () => {
  const { as, ours, theirs } = await open();
  const user = as({ account: ours, actor: ACTOR });
  const etag = (await user.get("/v1/pets")).headers.get("etag") ?? "";
  const headers = { "if-none-match": etag };
  expect((await user.get("/v1/pets", { headers })).status).toBe(304);
  // The browser sends the same request after its user has changed accounts.
  const other = as({ account: theirs, actor: ACTOR });
  expect((await other.get("/v1/pets", { headers })).status).toBe(200);
  const write = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
  const body = JSON.stringify({ name: "Rex", categoryId: 1 });
  expect((await user.raw("POST", "/v1/pets", { ...write, body })).status).toBe(412);
});

describe("pages of other origins", () => {
  const site = (value: string, more: Readonly<Record<string, string>> = {}) => ({
    headers: { "sec-fetch-site": value, ...more },
  });
  const rex = { name: "Rex", categoryId: 1 };

  test("read nothing that a login allows", async () => {
    const { as, ours } = await open();
    const { headers } = await as({ account: ours, actor: ACTOR }).get("/v1/pets");
    expect(headers.has("access-control-allow-origin")).toBe(false);
    expect(headers.get("vary")).toContain("Cookie");
    expect(headers.get("cache-control")).toBe("private, no-cache");
  });

  test("cannot act for a user", async () => {
    const { as, ours, store } = await open();
    const user = as({ account: ours, actor: ACTOR });
    const seq = await store.events.last();
    for (const extra of [
      site("cross-site"),
      site("same-site"),
      site("none"),
      { headers: { origin: "https://evil.example" } },
      { headers: { origin: "null" } },
      site("cross-site", { authorization: "Basic YTpi" }),
      // A host whose CORS headers permit every origin lets its page add any token.
      site("cross-site", { authorization: "Bearer x", cookie: "session=1" }),
    ]) {
      const reply = await user.post<Failure>("/v1/pets", rex, extra);
      expect([extra, reply.status, reply.body.code]).toEqual([extra, 403, "cross_site_request"]);
    }
    expect((await user.get<Failure>("/v1/pets", site("cross-site"))).body.code).toBe(
      "cross_site_request",
    );
    expect(await store.events.last()).toBe(seq);
  });

  test("can if they know the bearer token of the host, or are trusted", async () => {
    const app = "https://app.example.org";
    for (const options of [
      { trustedOrigins: [app] },
      { cors: { origins: [app], credentials: true } },
    ]) {
      const { as, ours } = await open(options);
      const user = as({ account: ours, actor: ACTOR });
      for (const extra of [
        site("cross-site", { authorization: "Bearer of-the-host" }),
        site("same-site", { origin: app }),
        site("same-origin"),
        { headers: { origin: "http://petstore.test" } },
        {},
      ]) {
        expect([extra, (await user.post("/v1/pets", rex, extra)).status]).toEqual([extra, 201]);
      }
      expect((await user.get("/v1/pets", site("none"))).status).toBe(200);
    }
  });

  test("are named by the same rule where they are trusted and where CORS allows them", () => {
    const many = Array.from({ length: 101 }, (_, at) => `https://${at}.example`);
    const make = (origins: readonly string[]) => [
      () => createPetstore({ store: memoryStore(), trustedOrigins: origins }),
      () => createPetstore({ store: memoryStore(), cors: { origins } }),
    ];
    for (const wrong of [["https://app.example/"], ["https://App.example"], ["null"], many]) {
      for (const made of make(wrong)) expect(made).toThrow(/rigins must be a list/);
    }
    for (const made of make(["capacitor://localhost", "http://localhost:5173"])) {
      expect(made).not.toThrow();
    }
  });

  test("cannot if their origin is allowed without cookies", async () => {
    const app = "https://app.example.org";
    const { as, ours } = await open({ cors: { origins: [app] } });
    const user = as({ account: ours, actor: ACTOR });
    const reply = await user.post<Failure>("/v1/pets", rex, site("same-site", { origin: app }));
    expect([reply.status, reply.body.code]).toEqual([403, "cross_site_request"]);
  });

  test("read the answers from another origin only if it is allowed with cookies", async () => {
    const [app, other] = ["https://app.example.org", "https://other.example"];
    const { as, ours } = await open({ cors: { origins: [app], credentials: true } });
    const user = as({ account: ours, actor: ACTOR });
    const allowed = async (origin: string) => {
      const { headers } = await user.get("/v1/pets", { headers: { origin } });
      return [
        headers.get("access-control-allow-origin"),
        headers.get("access-control-allow-credentials"),
        headers.get("vary")?.includes("Origin"),
      ];
    };
    expect(await allowed(app)).toEqual([app, "true", true]);
    expect((await allowed(other))[0]).toBeNull();
  });

  test("are of another origin whatever the mount is", async () => {
    const { as, ours } = await open();
    const user = as(
      { account: ours, actor: ACTOR },
      { origin: "https://pets.example.org/shelter", prefix: "" },
    );
    const from = (origin: string) => user.post("/v1/pets", rex, { headers: { origin } });
    expect((await from("https://pets.example.org")).status).toBe(201);
    expect((await from("https://pets.example")).status).toBe(403);
  });

  test("may act and read if cors lists them with credentials", async () => {
    const app = "https://app.example.org";
    const ask = async (credentials: boolean) => {
      const { as, ours } = await open({ cors: { origins: [app], credentials } });
      const user = as({ account: ours, actor: ACTOR });
      const { status, headers } = await user.post(
        "/v1/pets",
        rex,
        site("same-site", { origin: app }),
      );
      const shown = ["allow-origin", "allow-credentials"].map((name) =>
        headers.get(`access-control-${name}`),
      );
      return [status, ...shown, headers.get("vary")];
    };
    const vary = "Authorization, Cookie, Accept, Accept-Encoding, Origin";
    expect(await ask(true)).toEqual([201, app, "true", vary]);
    expect(await ask(false)).toEqual([403, app, null, vary]);
  });

  test("read with a key what they always could", async () => {
    const { petstore, ours, withContext } = await open();
    const { token } = must(await petstore.client.keys.create({ accountId: ours }));
    const reply = await withContext({ principal: () => undefined }, token).get(
      "/v1/pets",
      site("cross-site"),
    );
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });
});

test("usage, answers and the request log show the user", async () => {
  const answered: unknown[] = [];
  const logged: RequestEntry[] = [];
  const offered: unknown[] = [];
  const { as, accountOf, petstore, store, clock } = await open({
    onAnswer: (one) => answered.push([one.userId, one.keyId, one.status]),
    requestLog: {
      offer: (account, _status, _at, make) => {
        offered.push(account);
        logged.push(make());
      },
    },
  });
  const account = await accountOf("Small", { perMinute: 1, perDay: 100 });
  const user = as({ account, actor: { id: "ann" }, limitKey: "desk" });
  await user.get("/v1/pets");
  await user.get("/v1/pets");
  expect(answered).toEqual([
    ["ann", undefined, 200],
    ["ann", undefined, 429],
  ]);
  expect(offered).toEqual([account, account]);
  expect(logged).toMatchObject([
    { userId: "ann", counter: "user", cost: 1, status: 200 },
    { userId: "ann", counter: "user", rule: "minute_limit", status: 429 },
  ]);
  expect(logged[0]).not.toHaveProperty("keyId");
  await petstore.jobs.tick();
  const range = { accountId: account, by: "minute", from: START, to: clock.now() + 1 } as const;
  expect(await store.usage.read(range, 10)).toMatchObject([
    { keyId: "users", operation: "listPets", requests: 2, limited: 1 },
  ]);
});

test("failed authentication and users do not count against each other", async () => {
  const { as, ours, petstore } = await open();
  const address = "192.0.2.9";
  const anyone = api({ fetch: (request) => petstore.fetch(request, { address }) });
  for (let count = 0; count < 61; count++) await anyone.get("/v1/pets");
  expect((await anyone.get("/v1/pets")).status).toBe(429);
  const user = as({ account: ours, actor: ACTOR }, { address });
  expect((await user.get("/v1/pets")).status).toBe(200);
});
