import { expect, test } from "bun:test";
import { networkInterfaces } from "node:os";

import { answerChallenge } from "../../../domains/http/plain-http.ts";

const TOKEN = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA";
const AUTHORIZATION = `${TOKEN}.nP1qzpXGymHBrUEepNY9HCsQk7K8KhOypzEt62jcerQ`;

/** One challenge is open, for `pets.test`; `lookups` collects the tokens looked up. */
function open() {
  const lookups: string[] = [];
  const http01 = (host: string, token: string): string | undefined => {
    lookups.push(token);
    return host === "pets.test" && token === TOKEN ? AUTHORIZATION : undefined;
  };
  const answer = (request: { method?: string; host?: string; target?: string } = {}) =>
    answerChallenge(
      { http01 },
      {
        method: "GET",
        host: "pets.test",
        target: `/.well-known/acme-challenge/${TOKEN}`,
        ...request,
      },
    );
  return { lookups, answer };
}

test("the CA gets the key authorization and nothing else", async () => {
  const response = await open().answer();
  expect(response?.status).toBe(200);
  expect(response?.headers.get("content-type")).toBe("text/plain");
  expect(response?.headers.get("content-length")).toBe(String(AUTHORIZATION.length));
  expect(await response?.text()).toBe(AUTHORIZATION);
});

test("HEAD returns the length and no body", async () => {
  const response = await open().answer({ method: "HEAD" });
  expect(response?.status).toBe(200);
  expect(response?.headers.get("content-length")).toBe(String(AUTHORIZATION.length));
  expect(await response?.text()).toBe("");
});

test("a query string does not matter", async () => {
  const target = `/.well-known/acme-challenge/${TOKEN}?cache=no`;
  expect((await open().answer({ target }))?.status).toBe(200);
});

test("a token is valid for its host only", async () => {
  const response = await open().answer({ host: "other.test" });
  expect(response?.status).toBe(404);
  expect(await response?.text()).not.toContain(TOKEN);
});

test("an unknown token is 404 as text, never a site's page", async () => {
  const response = await open().answer({ target: "/.well-known/acme-challenge/unknown" });
  expect(response?.status).toBe(404);
  expect(response?.headers.get("content-type")).toBe("text/plain");
});

test.each(["", "a/b", "../etc/passwd", "%41", "a.b", "x".repeat(129)])(
  "a malformed token is 404 without a lookup: %p",
  async (token) => {
    const { lookups, answer } = open();
    const response = await answer({ target: `/.well-known/acme-challenge/${token}` });
    expect(response?.status).toBe(404);
    expect(lookups).toEqual([]);
  },
);

test("other methods get the allowed ones", async () => {
  const response = await open().answer({ method: "POST" });
  expect(response?.status).toBe(405);
  expect(response?.headers.get("allow")).toBe("GET, HEAD");
});

test.each(["/", "/.well-known/acme-challenge", "/.well-known/other/token", "/.well-known"])(
  "%p is not handled",
  (target) => {
    expect(open().answer({ target })).toBeUndefined();
  },
);

test("a lookup may be asynchronous", async () => {
  const http01 = async (): Promise<string> => AUTHORIZATION;
  const target = `/.well-known/acme-challenge/${TOKEN}`;
  const response = await answerChallenge({ http01 }, { method: "GET", host: "pets.test", target });
  expect(await response?.text()).toBe(AUTHORIZATION);
});

const ipv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);
const lacking = ipv6 ? "" : " (this machine has no IPv6)";

test.skipIf(!ipv6)(
  `several vantages at once get the right answer, over IPv6 and IPv4 alike${lacking}`,
  async () => {
    const { answer } = open();
    using server = Bun.serve({
      hostname: "::",
      port: 0,
      fetch: async (request) => {
        const { host, pathname } = new URL(request.url);
        const response = await answer({ host: host.replace(/:\d+$/, ""), target: pathname });
        return response ?? new Response(null, { status: 404 });
      },
    });
    const path = `/.well-known/acme-challenge/${TOKEN}`;
    const from = ["[::1]", "127.0.0.1", "[::1]", "127.0.0.1", "[::1]", "127.0.0.1"];
    const texts = await Promise.all(
      from.map(async (address) => {
        const response = await fetch(`http://${address}:${server.port}${path}`, {
          headers: { host: "pets.test" },
        });
        return response.text();
      }),
    );
    expect(texts).toEqual(from.map(() => AUTHORIZATION));
  },
);
