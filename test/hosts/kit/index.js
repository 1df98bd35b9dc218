import { createPetstore } from "petstore";
import { memoryStore } from "petstore/stores/memory";

/**
 * Opens a petstore with the keys of two accounts, wrapped so that requests below `/v1/probe/` show what an adapter does.
 * `of` is another service, whose store and accounts it shares.
 */
export async function openService({ of, ...options } = {}) {
  const store = of?.store ?? options.store ?? memoryStore();
  const petstore = createPetstore({ ...options, store });
  const accounts = of?.accounts ?? (await accountsOf(petstore));
  const keyOf = async (accountId) => (await petstore.client.keys.create({ accountId })).value.token;
  const probes = probesOf({ token: await keyOf(accounts[0]), another: await keyOf(accounts[1]) });
  return {
    store,
    accounts,
    match: (request, context) => petstore.match(request, context),
    fetch: (request, context) => {
      const [, name] = /\/v1\/probe\/(\w+)$/.exec(request.url) ?? [];
      return name === undefined ? petstore.fetch(request, context) : probes[name](request, context);
    },
    close: () => petstore.close(),
  };
}

/** Their limits differ, so that the headers of one are not those of the other. */
const LIMITS = [1_000_000, 2_000_000];

async function accountsOf(petstore) {
  const ids = [];
  for (const perMinute of LIMITS) {
    const limits = { perMinute, perDay: 10 * perMinute };
    const account = { name: `Shelter ${ids.length}`, plan: "enterprise", limits };
    ids.push((await petstore.client.accounts.create(account)).value.id);
  }
  return ids;
}

function probesOf(own) {
  const facts = { hanging: 0, aborted: 0, cancelled: 0, produced: 0 };
  const working = new Set();
  let release = () => {};

  return {
    key: () => Response.json(own),
    cookies: () => {
      const headers = new Headers({ "content-type": "text/plain" });
      headers.append("set-cookie", "a=1; Path=/");
      headers.append("set-cookie", "b=2; Expires=Thu, 05 Dec 2030 00:00:00 GMT");
      return new Response("two cookies", { headers });
    },
    stream: () => {
      const released = new Promise((resolve) => {
        release = resolve;
      });
      return new Response(
        chunks(async function* () {
          yield "one,";
          await released;
          yield "two";
        }),
      );
    },
    release: () => {
      release();
      return new Response(null, { status: 204 });
    },
    // Bounded, so that a host without backpressure fails its check and not the machine.
    flood: () =>
      new Response(
        chunks(async function* () {
          for (let part = 0; part < 2_000; part++) {
            facts.produced++;
            yield "x".repeat(65_536);
          }
        }, facts),
      ),
    hang: (request) => {
      facts.hanging++;
      return new Promise((_resolve, reject) => {
        // Node collects the signal of a request that nothing refers to, and then tells nobody.
        working.add(request);
        const leave = () => {
          working.delete(request);
          facts.aborted++;
          reject(request.signal.reason);
        };
        // The client may have left before the request was read.
        if (request.signal.aborted) leave();
        else request.signal.addEventListener("abort", leave);
      });
    },
    throw: () => {
      throw new Error("secret detail");
    },
    broken: () =>
      new Response(
        chunks(async function* () {
          yield "half";
          throw new Error("secret detail");
        }),
      ),
    facts: (_request, context) =>
      Response.json({
        ...facts,
        prefix: context?.prefix ?? "none",
        address: String(addressIn(context)),
      }),
    heap: () => Response.json({ bytes: heap() }),
  };
}

function addressIn(context) {
  const { address } = context ?? {};
  return typeof address === "function" ? address() : address;
}

/** Returns the bytes of live objects; undefined where the runtime cannot collect garbage on request. */
function heap() {
  const { gc, Bun } = globalThis;
  if (Bun !== undefined) Bun.gc(true);
  else if (gc !== undefined) gc();
  else return undefined;
  return globalThis.process?.memoryUsage().heapUsed;
}

/** Returns a body that is produced on demand. */
function chunks(generate, facts = { cancelled: 0 }) {
  const source = generate();
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value, done } = await source.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => {
        facts.cancelled++;
      },
    },
    { highWaterMark: 0 },
  );
}
