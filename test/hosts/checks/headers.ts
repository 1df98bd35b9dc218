import { deepEqual, equal, ok } from "node:assert/strict";
import { gunzipSync } from "node:zlib";

import type { Check, Place } from "../check.ts";

const APP = "https://app.example";

/** Headers of the service beside those of the host. */
export const headers: readonly Check[] = [
  {
    name: "cookies stay separate, those of the service and those of the host",
    at: ["plain", "root", "parsed", "before", "dressed"],
    async run({ probe, role }) {
      const cookies = (await probe("cookies")).headers.getSetCookie().map(firstPart);
      const own = role === "dressed" ? ["host=1", "theme=dark"] : [];
      deepEqual(cookies.toSorted(), ["a=1", "b=2", ...own].toSorted());
    },
  },
  {
    name: "the host's headers are on every response of the service",
    at: ["dressed"],
    async run({ base, authorized }) {
      for (const [path, init, expected] of [
        ["/pets", { headers: authorized }, 200],
        ["/pets", {}, 401],
        ["/nowhere", { headers: authorized }, 404],
      ] as const) {
        const answer = await fetch(base + path, init);
        equal(answer.status, expected);
        equal(answer.headers.get("x-host"), "yes");
        deepEqual(answer.headers.getSetCookie().map(firstPart), ["host=1", "theme=dark"]);
      }
    },
  },
  {
    name: "any page may read the API, unless the host says otherwise",
    at: ["plain", "root", "parsed", "before", "parameter"],
    async run(place) {
      const { base, authorized } = place;
      const read = await fetch(`${base}/pets`, { headers: { ...authorized, origin: APP } });
      equal(read.headers.get("access-control-allow-origin"), "*");
      const asked = await preflight(place);
      deepEqual([asked.status, asked.headers.get("access-control-allow-origin")], [204, "*"]);
      ok(asked.headers.get("access-control-allow-methods")?.includes("POST"));
      ok(/authorization/i.test(asked.headers.get("access-control-allow-headers") ?? ""));
    },
  },
  {
    name: "the host's CORS headers are neither overwritten nor doubled",
    at: ["dressed"],
    async run(place) {
      const { raw, api, token } = place;
      const answer = await raw([
        `GET ${api}/pets HTTP/1.1`,
        "Host: localhost",
        `Authorization: Bearer ${token}`,
        `Origin: ${APP}`,
      ]);
      equal(answer.status, 200);
      const cors = answer.headers.filter(([name]) => name.startsWith("access-control-"));
      deepEqual(valuesOf(cors, "access-control-allow-origin"), [APP]);
      deepEqual(valuesOf(cors, "access-control-allow-credentials"), ["true"]);
      equal(new Set(cors.map(([name]) => name)).size, cors.length);
      const asked = await preflight(place);
      ok(asked.status === 200 || asked.status === 204);
      equal(asked.headers.get("access-control-allow-origin"), APP);
      equal(asked.headers.get("access-control-allow-credentials"), "true");
      for (const method of ["GET", "OPTIONS"]) {
        const headers = { ...place.authorized, origin: "https://evil.example" };
        const evil = await fetch(`${place.base}/pets`, { method, headers });
        const allowed = evil.headers.get("access-control-allow-origin");
        ok(allowed === null || allowed === APP, `${method} allows ${allowed}`);
      }
    },
  },
  {
    name: "one Vary header names what the host and the service depend on",
    at: ["plain", "root", "parsed", "before", "dressed", "compressed"],
    async run({ raw, api, token, role }) {
      for (const key of [token, "unknown"]) {
        const answer = await raw([
          `GET ${api}/pets HTTP/1.1`,
          "Host: localhost",
          `Authorization: Bearer ${key}`,
          `Origin: ${APP}`,
        ]);
        const fields = valuesOf(answer.headers, "vary");
        equal(fields.length, 1, `Vary: ${fields.join(" | ")}`);
        const names = (fields[0] ?? "").toLowerCase().split(/\s*,\s*/);
        const expected = ["authorization", "accept", "accept-encoding"];
        if (role === "dressed") expected.push("origin");
        deepEqual(
          expected.filter((name) => !names.includes(name)),
          [],
        );
        equal(new Set(names).size, names.length, `Vary: ${fields[0]}`);
      }
    },
  },
  {
    name: "compression leaves bodies, lengths and ETags valid",
    at: ["plain", "compressed"],
    async run({ raw, api, token, base, authorized }) {
      const get = (...more: readonly string[]) =>
        raw([
          `GET ${api}/openapi.json HTTP/1.1`,
          "Host: localhost",
          `Authorization: Bearer ${token}`,
          ...more,
        ]);
      const plain = await get();
      JSON.parse(bodyOf(plain).toString());
      const packed = await get("Accept-Encoding: gzip");
      deepEqual(valuesOf(packed.headers, "content-encoding"), ["gzip"]);
      equal(gunzipSync(bodyOf(packed)).toString(), bodyOf(plain).toString());
      const [etag = "none"] = valuesOf(packed.headers, "etag");
      const fresh = await get("Accept-Encoding: gzip", `If-None-Match: ${etag}`);
      deepEqual([fresh.status, fresh.text], [304, ""]);
      // A browser's own decoder.
      const listed = await fetch(`${base}/pets?limit=100`, { headers: authorized });
      ok(Array.isArray(await listed.json()));
    },
  },
];

function firstPart(cookie: string): string {
  return cookie.split(";", 1)[0] ?? "";
}

function preflight({ base }: Place): Promise<Response> {
  return fetch(`${base}/pets`, {
    method: "OPTIONS",
    headers: {
      origin: APP,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    },
  });
}

type Fields = readonly (readonly [name: string, value: string])[];

function valuesOf(fields: Fields, name: string): readonly string[] {
  return fields.filter(([one]) => one === name).map(([, value]) => value);
}

/** Returns the bytes of a body, joined if it was in chunks. Fails if its length is not the announced one. */
function bodyOf({
  headers: fields,
  text,
}: {
  readonly headers: Fields;
  readonly text: string;
}): Buffer {
  const sent = Buffer.from(text, "latin1");
  const [length] = valuesOf(fields, "content-length");
  if (length !== undefined) {
    equal(sent.length, Number(length));
    return sent;
  }
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = sent.indexOf("\r\n", at);
    const size = Number.parseInt(sent.toString("latin1", at, end), 16);
    ok(size >= 0, "The body ends early.");
    if (size === 0) return Buffer.concat(parts);
    parts.push(sent.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
