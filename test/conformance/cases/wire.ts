import { expect } from "bun:test";

import type { Pet } from "../../../lib/catalogue/model.ts";
import { inAccount, type Case } from "../case.ts";

/** Headers that close the connection after the response. */
function request(line: string, headers: readonly string[], body = ""): string {
  return [line, "Host: localhost", ...headers, "Connection: close", "", body].join("\r\n");
}

/** A request that adds an animal, with a body that the field `length` delimits. */
function posted(token: string, length: string, body?: string): string {
  const headers = [`Authorization: Bearer ${token}`, "Content-Type: application/json", length];
  return request("POST /v1/pets HTTP/1.1", headers, body);
}

/** Returns the status of a raw response; 0 if the connection closed without one. */
function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}

/** Requests that `fetch` refuses to send. */
export const wire: readonly Case[] = [
  {
    id: "wire.two-keys",
    source: "contract: keys",
    sentence: "two Authorization headers are 401, even if both contain the same valid key",
    needs: "socket",
    run: async (env) => {
      const [one, other] = [await env.account(), await env.account()];
      for (const [first, second] of [
        [one.token, other.token],
        [one.token, one.token],
        [one.token, "letmein"],
        ["letmein", one.token],
      ]) {
        const answer = await env.socket(
          request("GET /v1/pets HTTP/1.1", [
            `Authorization: Bearer ${first}`,
            `Authorization: Bearer ${second}`,
          ]),
        );
        expect(statusOf(answer)).toBe(401);
        expect(answer).toContain("invalid_api_key");
      }
    },
  },
  {
    id: "wire.double-slash",
    source: "contract: operations",
    sentence: "a doubled or encoded slash is not normalized into another path",
    needs: "socket",
    run: inAccount(async ({ token }, env) => {
      for (const path of ["/v1//pets", "//v1/pets", "/v1/pets//1", "/v1/pets%2f1"]) {
        const answer = await env.socket(
          request(`GET ${path} HTTP/1.1`, [`Authorization: Bearer ${token}`]),
        );
        expect(statusOf(answer)).toBe(404);
      }
    }),
  },
  {
    id: "wire.chunks",
    source: "contract: bodies",
    sentence: "a chunked body is accepted",
    needs: "socket",
    run: inAccount(async ({ token, api }, env) => {
      const body = '7\r\n{"name"\r\n14\r\n:"Rex","categoryId":\r\n2\r\n1}\r\n0\r\n\r\n';
      const answer = await env.socket(posted(token, "Transfer-Encoding: chunked", body));
      expect(statusOf(answer)).toBe(201);
      expect((await api.get<Pet[]>("/v1/pets")).body).toHaveLength(1);
    }),
  },
  {
    id: "wire.endless-chunks",
    source: "contract: bodies",
    sentence: "endless chunks are refused with 413 and store nothing",
    needs: "socket",
    run: inAccount(async ({ token, api }, env) => {
      const chunk = `2000\r\n${" ".repeat(0x2000)}\r\n`;
      const answer = await env.socket(
        posted(token, "Transfer-Encoding: chunked", chunk.repeat(12)),
      );
      expect(statusOf(answer)).toBe(413);
      expect(answer).toContain("payload_too_large");
      expect((await api.get("/v1/pets")).text).toBe("[]");
    }),
  },
  {
    id: "wire.endless-length",
    source: "contract: bodies",
    sentence: "a body with a huge declared length is refused with 413 before it is sent",
    needs: "socket",
    run: inAccount(async ({ token }, env) => {
      const answer = await env.socket(posted(token, "Content-Length: 1000000"));
      expect(statusOf(answer)).toBe(413);
    }),
  },
  {
    id: "wire.slow-body",
    source: "contract: error body",
    sentence: "a body that stops halfway gets 408 after ten seconds and stores nothing",
    needs: "socket",
    run: inAccount(async ({ token, api }, env) => {
      const answer = await env.socket(posted(token, "Content-Length: 100", '{"name":'), {
        patienceMs: 14_000,
      });
      expect(statusOf(answer)).toBe(408);
      expect(answer).toContain("request_timeout");
      expect((await api.get("/v1/pets")).text).toBe("[]");
    }),
  },
  {
    id: "wire.conflicting-lengths",
    source: "contract: bodies",
    sentence: "a request with an ambiguous length is refused",
    needs: "socket",
    run: inAccount(async ({ token, api }, env) => {
      const body = '{"name":"Rex","categoryId":1}';
      for (const lengths of [
        "Content-Length: 29\r\nContent-Length: 5",
        "Content-Length: 5, 29",
        "Content-Length: -1",
        "Content-Length: 0x1d",
        "Content-Length: 29\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked, identity",
      ]) {
        const answer = await env.socket(posted(token, lengths, body), { patienceMs: 1_500 });
        expect({ lengths, status: statusOf(answer) }).not.toEqual({ lengths, status: 201 });
      }
      expect((await api.get("/v1/pets")).text).toBe("[]");
    }),
  },
  {
    id: "wire.short-body",
    source: "contract: bodies",
    sentence: "bytes beyond the declared length are not read as another request",
    needs: "socket",
    run: inAccount(async ({ token, api }, env) => {
      const answer = await env.socket(
        posted(token, "Content-Length: 5", '{"name":"Rex","categoryId":1}'),
        { patienceMs: 1_500 },
      );
      expect(statusOf(answer)).toBe(400);
      expect((await api.get("/v1/pets")).text).toBe("[]");
    }),
  },
  {
    id: "wire.malformed",
    source: "contract: error body",
    sentence: "malformed HTTP is refused or disconnected, and the next request succeeds",
    needs: "socket",
    run: inAccount(async ({ token, api }, env) => {
      for (const text of [
        "nonsense\r\n\r\n",
        "GET\r\n\r\n",
        "GET /v1/pets\r\n\r\n",
        "GET /v1/pets HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "GET /v1/pets HTTP/1.1\r\nHost localhost\r\n\r\n",
        "GET /v1/pets HTTP/1.1\r\nHo st: localhost\r\n\r\n",
        "GET /v1/\u0000pets HTTP/1.1\r\nHost: localhost\r\n\r\n",
        `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nX: a\u0000b\r\n\r\n`,
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      ]) {
        const status = statusOf(await env.socket(text, { patienceMs: 700 }));
        // 505: the HTTP version does not exist.
        expect(status === 0 || (status >= 400 && status < 500) || status === 505).toBe(true);
      }
      expect((await api.get("/v1/pets")).status).toBe(200);
    }),
  },
  {
    id: "wire.long-headers",
    source: "contract: error body",
    sentence: "excessive headers are refused with 4xx",
    needs: "socket",
    run: inAccount(async ({ token, api }, env) => {
      const authorization = `Authorization: Bearer ${token}`;
      for (const header of [
        `X-Long: ${"x".repeat(100_000)}`,
        Array.from({ length: 3_000 }, (_, index) => `X-${index}: x`).join("\r\n"),
      ]) {
        const answer = await env.socket(request("GET /v1/pets HTTP/1.1", [authorization, header]));
        expect(statusOf(answer)).toBeWithin(400, 500);
      }
      expect((await api.get("/v1/pets")).status).toBe(200);
    }),
  },
  {
    id: "wire.long-key",
    source: "contract: keys",
    sentence: "an Authorization header of 8,000 characters is 401",
    needs: "socket",
    run: async (env) => {
      const headers = [`Authorization: Bearer ${"x".repeat(8_000)}`];
      const answer = await env.socket(request("GET /v1/pets HTTP/1.1", headers));
      expect(statusOf(answer)).toBe(401);
    },
  },
  {
    id: "wire.hosts",
    source: "contract: lists",
    sentence: "two Host headers do not produce links to the wrong host",
    needs: "socket",
    run: inAccount(async ({ token }, env) => {
      const answer = await env.socket(
        [
          "GET /v1/pets HTTP/1.1",
          "Host: localhost",
          "Host: evil.example",
          `Authorization: Bearer ${token}`,
          "Connection: close",
          "",
          "",
        ].join("\r\n"),
        { patienceMs: 1_500 },
      );
      expect(answer).not.toContain("evil.example");
    }),
  },
  {
    id: "wire.pipelined",
    source: "contract: every response",
    sentence: "pipelined requests are answered in order",
    needs: "socket",
    run: inAccount(async ({ token }, env) => {
      const get = (id: string, connection: string): string =>
        [
          "GET /v1/pets HTTP/1.1",
          "Host: localhost",
          `Authorization: Bearer ${token}`,
          `X-Request-Id: pipelined-${id}`,
          `Connection: ${connection}`,
          "",
          "",
        ].join("\r\n");
      const answer = await env.socket(get("one", "keep-alive") + get("two", "close"));
      const named = Array.from(answer.matchAll(/x-request-id: pipelined-(\w+)/gi), ([, id]) => id);
      expect(named).toEqual(["one", "two"]);
    }),
  },
  {
    id: "wire.smuggled-method",
    source: "contract: operations",
    sentence: "an unknown method is 405",
    needs: "socket",
    run: async (env) => {
      for (const method of ["PURGE", "PROPFIND", "TRACE"]) {
        const answer = await env.socket(request(`${method} /v1/pets HTTP/1.1`, []));
        expect({ method, status: statusOf(answer) }).toEqual({ method, status: 405 });
      }
    },
  },
];
