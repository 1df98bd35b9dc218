import { describe, expect, test } from "bun:test";

import { createPetstore, type CorsOptions } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { must } from "../../helpers/outcome.ts";

const APP = "https://app.example";

/** Asks a petstore with this option from a page of this origin. */
async function asking(cors: boolean | CorsOptions | undefined, origin: string) {
  const petstore = createPetstore({ store: memoryStore(), cors });
  const { token } = must(await petstore.client.keys.create({}));
  const send = async (path: string, method: string, more: Readonly<Record<string, string>> = {}) =>
    petstore.fetch(
      new Request(`http://localhost/v1${path}`, {
        method,
        headers: { origin, authorization: `Bearer ${token}`, ...more },
      }),
    );
  const asked = { "access-control-request-method": "POST" };
  const answers = {
    read: await send("/pets", "GET"),
    // From the cache.
    again: await send("/pets", "GET"),
    refusal: await send("/pets", "GET", { authorization: "Bearer none" }),
    nowhere: await send("/nowhere", "GET"),
    preflight: await send("/pets", "OPTIONS", asked),
    document: await send("/openapi.json", "GET"),
  };
  return Object.values(answers);
}

function corsIn({ headers }: Response): readonly string[] {
  return [...headers.keys()].filter((name) => name.startsWith("access-control-"));
}

describe("the CORS headers", () => {
  test.each([undefined, true])("let any page read by default", async (cors) => {
    for (const answer of await asking(cors, APP)) {
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("vary")).toBe("Authorization, Accept, Accept-Encoding");
      expect(answer.headers.get("access-control-expose-headers")).toContain(
        "X-RateLimit-Remaining",
      );
    }
  });

  test("are absent if the host decides", async () => {
    for (const answer of await asking(false, APP)) {
      expect(corsIn(answer)).toEqual([]);
      expect(answer.headers.get("vary")).toBe("Authorization, Accept, Accept-Encoding");
    }
  });

  test("name a listed origin, and vary by it", async () => {
    const answers = await asking({ origins: ["http://localhost:5173", APP] }, APP);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe(APP);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("vary")).toBe("Authorization, Accept, Accept-Encoding, Origin");
    }
  });

  test.each(["https://evil.example", "https://app.example.evil.example", "null", `${APP}/`])(
    "permit nothing to the page of %s, which is not listed",
    async (origin) => {
      for (const { headers } of await asking({ origins: [APP], credentials: true }, origin)) {
        expect(headers.get("access-control-allow-origin")).toBeNull();
        expect(headers.get("access-control-allow-credentials")).toBeNull();
        expect(headers.get("vary")).toContain("Origin");
      }
    },
  );

  test("permit credentials and more request headers where the option says so", async () => {
    const cors = {
      origins: [APP],
      credentials: true,
      requestHeaders: ["X-CSRF-Token"],
      maxAgeSeconds: 5,
    };
    const answers = await asking(cors, APP);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-credentials")).toBe("true");
    }
    const preflight = answers.find(({ status }) => status === 204)?.headers;
    expect(preflight?.get("access-control-allow-methods")).toBe("GET, HEAD, POST, OPTIONS");
    expect(preflight?.get("access-control-allow-headers")).toMatch(
      /^Authorization, .*X-CSRF-Token$/,
    );
    expect(preflight?.get("access-control-max-age")).toBe("5");
  });
});

test.each<[Record<string, unknown>, string]>([
  [{ origins: [] }, "cors.origins must be"],
  [{}, "cors.origins must be"],
  [{ origins: ["*"] }, "cors.origins must be"],
  [{ origins: ["https://app.example/"] }, "cors.origins must be"],
  [{ origins: ["https://App.example"] }, "cors.origins must be"],
  [{ origins: ["https://app.example:443"] }, "cors.origins must be"],
  [{ origins: ["app.example"] }, "cors.origins must be"],
  [{ origins: ["null"] }, "cors.origins must be"],
  [{ origins: Array.from({ length: 101 }, (_, at) => `https://${at}.example`) }, "1 to 100"],
  [{ origins: [APP], credential: true }, "Did you mean credentials?"],
  [{ origins: [APP], requestHeaders: ["a b"] }, "cors.requestHeaders must be"],
  [{ origins: [APP], maxAgeSeconds: -1 }, "cors.maxAgeSeconds must be"],
])("the wrong option %j is a TypeError that names it", (cors, message) => {
  const make = () => createPetstore({ store: memoryStore(), cors: cors as never });
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

test("an application's own scheme may be an origin", async () => {
  const [read] = await asking({ origins: ["capacitor://localhost"] }, "capacitor://localhost");
  expect(read?.headers.get("access-control-allow-origin")).toBe("capacitor://localhost");
});
