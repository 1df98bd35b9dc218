import { createPetstore } from "petstore";

/** Returns a petstore with a key, and a wrapper with extra paths that show a bridge's behavior. */
export async function openService(store, options = {}) {
  const petstore = createPetstore({ store, ...options });
  const account = await petstore.client.accounts.create({ name: "Shelter", plan: "business" });
  const issued = await petstore.client.keys.create({ accountId: account.value.id });
  return { service: withProbes(petstore), token: issued.value.token };
}

function withProbes({ fetch, match }) {
  const facts = { hanging: 0, aborted: 0, cancelled: 0, produced: 0, address: "", prefix: "" };
  let release = () => {};

  const probes = {
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
    flood: () =>
      new Response(
        chunks(async function* () {
          for (;;) {
            facts.produced++;
            yield "x".repeat(65_536);
          }
        }, facts),
      ),
    hang: (request) => {
      facts.hanging++;
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener("abort", () => {
          facts.aborted++;
          reject(request.signal.reason);
        });
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
    facts: (_request, context) => {
      facts.prefix = context?.prefix ?? "none";
      facts.address = String(context?.address?.());
      return Response.json(facts);
    },
  };

  return {
    match,
    fetch: (request, context) => {
      const [, name] = /\/v1\/probe\/(\w+)$/.exec(request.url) ?? [];
      return name === undefined ? fetch(request, context) : probes[name](request, context);
    },
  };
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

/** Reports the listening addresses to the test and exits with it. */
export function announce(variants) {
  console.log(JSON.stringify(variants));
  process.stdin.on("end", () => process.exit(0));
  process.stdin.resume();
}
