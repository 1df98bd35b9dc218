import { expect } from "bun:test";

import type { Api, Reply } from "../../helpers/api.ts";
import { inAccount, type Case } from "../case.ts";
import { expectProblem } from "../expect.ts";

const JSON_TYPE: Readonly<Record<string, string>> = { "content-type": "application/json" };

function post(
  api: Api,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = JSON_TYPE,
): Promise<Reply<unknown>> {
  return api.raw("POST", "/v1/pets", { headers, body });
}

const PET = '{"name":"Rex","categoryId":1}';

/** The operations with a body. */
const writing = [
  ["createPet", "POST", "/v1/pets"],
  ["updatePet", "PATCH", "/v1/pets/1"],
  ["replacePetProfile", "PUT", "/v1/pets/1/profile"],
  ["updatePetProfile", "PATCH", "/v1/pets/1/profile"],
  ["createCategory", "POST", "/v1/categories"],
  ["updateCategory", "PATCH", "/v1/categories/1"],
] as const;

export const bodies: readonly Case[] = [
  ...writing.map(([name, method, path]): Case => ({
    id: `bodies.${name}`,
    source: "contract: bodies",
    sentence: `${name} refuses bodies that are not JSON, not an object, too large or not declared as JSON`,
    run: inAccount(async ({ api }) => {
      const write = (body: string, headers = JSON_TYPE): Promise<Reply<unknown>> =>
        api.raw(method, path, { headers, body });
      expectProblem(await write("{"), "invalid_json");
      expectProblem(await write("[]"), "invalid_body");
      expectProblem(await write('{"nmae":"x"}'), "unknown_field");
      expectProblem(await write(" ".repeat(65_537)), "payload_too_large");
      const plain = { "content-type": "text/plain" };
      expectProblem(await write("{}", plain), "unsupported_media_type");
    }),
  })),
  {
    id: "bodies.json-everywhere",
    source: "spec: what the service does 3",
    sentence: "response bodies are application/json; charset=utf-8",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const reply of [
        await post(api, PET),
        await api.get("/v1/pets"),
        await api.get("/v1/x"),
      ]) {
        expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      }
    }),
  },
  {
    id: "bodies.malformed",
    source: "contract: bodies",
    sentence: "a body that is not JSON is 400 invalid_json",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const body of [
        "",
        " ",
        "{",
        "{'name':'Rex'}",
        '{"name":"Rex","categoryId":1,}',
        `${PET}${PET}`,
        `${PET} x`,
        '{"name":"Re\nx","categoryId":1}',
        '{"name":"Rex","categoryId":01}',
        '{"name":"Rex","categoryId":NaN}',
        '{"name":"Rex","categoryId":1} // comment',
        "name=Rex&categoryId=1",
        "<pet/>",
        "\u0000",
      ]) {
        expectProblem(await post(api, body), "invalid_json");
      }
      expect((await api.get("/v1/pets")).body).toEqual([]);
    }),
  },
  {
    id: "bodies.utf8",
    source: "contract: bodies",
    sentence: "a body that is not UTF-8 is 400 invalid_json",
    both: true,
    run: inAccount(async ({ api }) => {
      const before = new TextEncoder().encode('{"name":"Re');
      const after = new TextEncoder().encode('x","categoryId":1}');
      for (const wrong of [
        [0xff],
        [0xc3],
        [0xed, 0xa0, 0x80],
        [0xc0, 0xaf],
        [0xf4, 0x90, 0x80, 0x80],
      ]) {
        const body = new Uint8Array([...before, ...wrong, ...after]);
        expectProblem(await post(api, body), "invalid_json");
      }
    }),
  },
  {
    id: "bodies.duplicates",
    source: "contract: bodies",
    sentence: "a duplicate member is 400 invalid_json, however it is escaped",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const body of [
        '{"name":"Rex","categoryId":1,"name":"Bello"}',
        '{"name":"Rex","n\\u0061me":"Rex","categoryId":1}',
        '{"a":{"b":1,"b":2}}',
      ]) {
        expectProblem(await post(api, body), "invalid_json");
      }
    }),
  },
  {
    id: "bodies.depth",
    source: "contract: bodies",
    sentence: "a body nested deeper than 32 levels is 400 invalid_json",
    both: true,
    run: inAccount(async ({ api }) => {
      const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
      expectProblem(await post(api, nested(33)), "invalid_json");
      expectProblem(await post(api, nested(32)), "invalid_body");
      expectProblem(await post(api, nested(20_000)), "invalid_json");
    }),
  },
  {
    id: "bodies.prototype",
    source: "contract: bodies",
    sentence: "members called __proto__ or constructor are unknown fields and change nothing",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const member of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
        const body = `{"name":"Rex","categoryId":1,"${member}":{"status":"sold"}}`;
        expectProblem(await post(api, body), "unknown_field");
      }
      const only = '{"__proto__":{"name":"Rex","categoryId":1}}';
      expect((await post(api, only)).status).toBe(400);
      expect((await api.get("/v1/pets")).body).toEqual([]);
    }),
  },
  {
    id: "bodies.size",
    source: "contract: bodies",
    sentence: "a body of 64 KiB is accepted, and one more byte is 413",
    both: true,
    run: inAccount(async ({ api }) => {
      const padded = (bytes: number): string => PET + " ".repeat(bytes - PET.length);
      expect((await post(api, padded(65_536))).status).toBe(201);
      expectProblem(await post(api, padded(65_537)), "payload_too_large");
      expectProblem(await post(api, padded(1_048_576)), "payload_too_large");
    }),
  },
  {
    id: "bodies.size-unannounced",
    source: "contract: bodies",
    sentence: "a body without a declared length is 413 beyond 64 KiB too",
    both: true,
    run: inAccount(async ({ api }) => {
      const chunk = new TextEncoder().encode(" ".repeat(16_384));
      const stream = (chunks: number): ReadableStream<Uint8Array> => {
        let sent = 0;
        return new ReadableStream({
          pull: (controller) => {
            if (sent++ < chunks) controller.enqueue(chunk);
            else controller.close();
          },
        });
      };
      const reply = await api.raw("POST", "/v1/pets", { headers: JSON_TYPE, body: stream(16) });
      expectProblem(reply, "payload_too_large");
    }),
  },
  {
    id: "bodies.timeout",
    source: "contract: error body",
    sentence:
      "a body that has not arrived after ten seconds is 408, for every operation with a body",
    needs: "clock",
    both: true,
    run: inAccount(async ({ api }, env) => {
      for (const [, method, path] of writing) {
        const reading = Promise.withResolvers<void>();
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"name":')),
          // Asked for once what was there has been read.
          pull: () => reading.resolve(),
        });
        let settled = false;
        const reply = api.raw(method, path, { headers: JSON_TYPE, body }).finally(() => {
          settled = true;
        });
        await reading.promise;
        for (let second = 1; second <= 9; second++) await env.inside.pass(1_000);
        expect(settled).toBe(false);
        await env.inside.pass(1_000);
        expectProblem(await reply, "request_timeout");
      }
    }),
  },
  {
    id: "bodies.content-type",
    source: "contract: bodies",
    sentence: "a body with another media type is 415",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const type of [
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/json; charset=iso-8859-1",
        "application/json; charset=utf-16",
        "application/vnd.api+json",
        "nonsense",
      ]) {
        expectProblem(await post(api, PET, { "content-type": type }), "unsupported_media_type");
      }
      const bytes = new TextEncoder().encode(PET);
      expectProblem(await post(api, bytes, {}), "unsupported_media_type");
    }),
  },
  {
    id: "bodies.content-type-spelling",
    source: "contract: bodies",
    sentence: "application/json is accepted in any case, with charset utf-8 or without a charset",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const type of [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/json ; charset=UTF-8",
      ]) {
        expect((await post(api, PET, { "content-type": type })).status).toBe(201);
      }
    }),
  },
  {
    id: "bodies.content-encoding",
    source: "contract: bodies",
    sentence: "a compressed body is 415",
    both: true,
    run: inAccount(async ({ api }) => {
      const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
      const body = Bun.gzipSync(new TextEncoder().encode(PET));
      expectProblem(await post(api, body, headers), "unsupported_media_type");
    }),
  },
  {
    id: "bodies.restore-takes-none",
    source: "contract: deletion",
    sentence: "restore takes no body and ignores the media type of an empty one",
    both: true,
    run: inAccount(async ({ api }) => {
      await post(api, PET);
      await api.delete("/v1/pets/1");
      const reply = await api.raw("POST", "/v1/pets/1/restore", { headers: JSON_TYPE });
      expect(reply.status).toBe(200);
    }),
  },
  {
    id: "bodies.accept",
    source: "contract: order of checks",
    sentence: "clients that accept JSON by any of its names get it, others get 406",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const accept of [
        "*/*",
        "application/*",
        "application/json",
        "text/html, application/json;q=0.1",
        "application/problem+json, application/json",
        "APPLICATION/JSON",
      ]) {
        expect((await api.get("/v1/pets", { headers: { accept } })).status).toBe(200);
      }
      for (const accept of ["text/html", "application/xml", "application/json;q=0", "image/*"]) {
        const reply = await api.get("/v1/pets", { headers: { accept } });
        expectProblem(reply, "not_acceptable");
      }
    }),
  },
  {
    id: "bodies.problem-json",
    source: "contract: error body",
    sentence: "Accept: application/problem+json gets problem details with the same members",
    both: true,
    run: inAccount(async ({ api }) => {
      const headers = { ...JSON_TYPE, accept: "application/problem+json" };
      const reply = await post(api, '{"name":"Rex"}', headers);
      expect(reply.status).toBe(400);
      expect(reply.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
      expect(reply.body).toMatchObject({
        type: "urn:petstore:problem:missing_field",
        title: expect.any(String),
        detail: expect.any(String),
        instance: expect.stringContaining(reply.headers.get("x-request-id") ?? "none"),
        code: "missing_field",
        message: expect.any(String),
        status: 400,
        errors: [{ pointer: "/categoryId", code: "missing_field" }],
      });
      const success = await api.get("/v1/pets", {
        headers: { accept: "application/problem+json" },
      });
      expect(success.status).toBe(200);
      expect(success.headers.get("content-type")).toBe("application/json; charset=utf-8");
    }),
  },
  {
    id: "bodies.problem-json-everywhere",
    source: "contract: error body",
    sentence: "problem details are also sent for refusals before the key is checked",
    run: async (env) => {
      const headers = { accept: "application/problem+json" };
      for (const [method, path, status] of [
        ["GET", "/v1/nothing", 404],
        ["PUT", "/v1/pets", 405],
        ["GET", "/v1/pets", 401],
      ] as const) {
        const reply = await env.anyone.raw(method, path, { headers });
        expect(reply.headers.get("content-type")).toStartWith("application/problem+json");
        expect(reply.body).toMatchObject({ status });
      }
    },
  },
];
