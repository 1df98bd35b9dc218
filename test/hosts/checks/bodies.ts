import { deepEqual, equal, match, ok } from "node:assert/strict";

import { firstStatus, halfSaid } from "../../helpers/half-said.ts";
import type { Check, Place } from "../check.ts";
import type { Role } from "../host.ts";
import { converse, inParts } from "../raw-http.ts";

const json = { "content-type": "application/json" };
/** Checks that send much run where the body takes another way. */
const ways: readonly Role[] = ["plain", "parsed", "before"];

const create = (
  place: Place,
  body: BodyInit,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${place.base}/pets`, {
    method: "POST",
    headers: { ...place.authorized, ...json, ...more },
    body,
  });

const isServed = async ({ base, authorized }: Place): Promise<void> =>
  equal((await fetch(`${base}/pets`, { headers: authorized })).status, 200);

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const postTo = ({ api, token }: Place, resource: string): readonly string[] => [
  `POST ${api}/${resource} HTTP/1.1`,
  "Host: localhost",
  "Content-Type: application/json",
  `Authorization: Bearer ${token}`,
];

const lastGet = ({ api, token }: Place): string =>
  [
    `GET ${api}/pets HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    `Authorization: Bearer ${token}`,
    "",
    "",
  ].join("\r\n");

const statusesIn = (said: string): readonly number[] =>
  [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

/** Bodies of requests: malformed, too large, in chunks, unread. */
export const bodies: readonly Check[] = [
  {
    name: "malformed JSON is a 400",
    at: ways,
    async run(place) {
      const broken = await create(place, '{"name":');
      equal(broken.status, 400);
      // A parser refuses it in its own way.
      if (place.role !== "parsed") equal((await broken.json()).code, "invalid_json");
      await isServed(place);
    },
  },
  {
    name: "duplicate members are a 400, unless the host's parser hides them",
    at: ways,
    async run(place) {
      const broken = await create(place, '{"name":"Cy","name":"Di","categoryId":3}');
      const { name, code } = await broken.json();
      const hidden = place.role === "parsed" && place.host.hides;
      deepEqual(
        { name, code },
        hidden ? { name: "Di", code: undefined } : { name: undefined, code: "invalid_json" },
      );
    },
  },
  {
    name: "a body that is too large is a 413, and the next request is served",
    at: ways,
    async run(place) {
      const body = JSON.stringify({ name: "x".repeat(1_000_000), categoryId: 1 });
      const large = await create(place, body);
      deepEqual([large.status, (await large.json()).code], [413, "payload_too_large"]);
      await isServed(place);
    },
  },
  {
    name: "a refusal before the body was read arrives whole",
    at: ["plain", "parsed"],
    proxied: false,
    async run(place) {
      const body = "x".repeat(3_000_000);
      for (const authorization of [place.token, "unknown"]) {
        for (let time = 0; time < 3; time++) {
          const { status, text } = await place.raw(
            [
              `POST ${place.api}/pets HTTP/1.1`,
              "Host: localhost",
              "Content-Type: application/json",
              `Content-Length: ${body.length}`,
              `Authorization: Bearer ${authorization}`,
            ],
            body,
          );
          const expected = authorization === "unknown" ? 401 : 413;
          // An earlier parser refuses it in its own way.
          if (place.role === "parsed") ok([400, 401, 413, 500].includes(status), String(status));
          else {
            equal(status, expected);
            match(text, new RegExp(`"status":${expected}`));
          }
        }
      }
    },
  },
  {
    name: "a request that is answered with 4xx had no effect",
    at: ["plain"],
    proxied: false,
    run: (place) => haveNoEffect(place, (name) => !EARLY.includes(name) && !LENIENT.includes(name)),
  },
  {
    name: "line ends and trailers after a body are no reason for a 4xx",
    at: ["plain"],
    proxied: false,
    run: (place) => haveNoEffect(place, (name) => LENIENT.includes(name)),
  },
  {
    name: "malformed bytes after a body do not turn its effect into a 4xx",
    at: ["plain"],
    proxied: false,
    run: (place) => haveNoEffect(place, (name) => EARLY.includes(name)),
  },
  {
    name: "after an unread body the connection serves the next request",
    at: ["plain", "parsed"],
    proxied: false,
    async run(place) {
      const rest = "x".repeat(1_000_000);
      const said = await converse(
        place.origin,
        [
          `POST ${place.api}/pets HTTP/1.1`,
          "Host: localhost",
          // Other than an earlier parser reads; SvelteKit refuses texts from elsewhere.
          `Content-Type: ${place.role === "parsed" ? "text/plain" : "application/json"}`,
          `Content-Length: ${rest.length}`,
          "",
          rest + lastGet(place),
        ].join("\r\n"),
      );
      deepEqual(statusesIn(said), [401, 200]);
    },
  },
  {
    name: "a chunked body arrives complete, in one piece or many",
    at: ways,
    async run(place) {
      const lines = [...postTo(place, "categories"), "Transfer-Encoding: chunked"];
      const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
      const whole = chunk('{"name":') + chunk(`"${first}"}`) + chunk("");
      equal((await place.raw(lines, whole)).status, 201);
      const bytes = `{"name":"${second}"}`.split("").map(chunk);
      const head = [...lines, "Connection: close", "", ""].join("\r\n");
      equal(statusesIn(await inParts(place.origin, [head, ...bytes, chunk("")]))[0], 201);
    },
  },
  {
    name: "after a chunked body that is too large the connection serves the next request",
    at: ["plain", "parsed"],
    proxied: false,
    async run(place) {
      // 2 MiB: up to 4 MiB of an oversized body is read, so that the connection stays open.
      const said = await converse(
        place.origin,
        [
          ...postTo(place, "pets"),
          "Transfer-Encoding: chunked",
          "",
          `${chunk("x".repeat(65_536)).repeat(32)}0`,
          "",
          lastGet(place),
        ].join("\r\n"),
      );
      const [refused = 0, served] = statusesIn(said);
      // An earlier parser reports invalid JSON in its own way.
      ok((place.role === "parsed" ? [413, 400, 500] : [413]).includes(refused), String(refused));
      equal(served, 200);
    },
  },
  {
    name: "a client that sends Expect: 100-continue gets its response",
    at: ways,
    async run(place) {
      const body = JSON.stringify({ name: "Eve", categoryId: 1 });
      for (const [key, expected] of [
        [place.token, 201],
        ["unknown", 401],
      ] as const) {
        const head = [
          `POST ${place.api}/pets HTTP/1.1`,
          "Host: localhost",
          "Content-Type: application/json",
          `Content-Length: ${body.length}`,
          `Authorization: Bearer ${key}`,
          "Expect: 100-continue",
          "Connection: close",
          "",
          "",
        ].join("\r\n");
        // The second part follows what the server says to the first.
        const said = statusesIn(await inParts(place.origin, [head, body], { afterAnswer: true }));
        ok(said.length <= 2 && (said.length === 1 || said[0] === 100), said.join());
        equal(said.at(-1), expected);
      }
    },
  },
];

const LENIENT: readonly string[] = [
  "a line end after the body",
  "a line end after the body in a part of its own",
  "a bare line feed after the body",
  "a line end and a request after the body",
  "a line end after the chunks",
  "trailers",
  "trailers in a part of their own",
  "trailers without their empty line",
  "a trailer that is none",
];
/** The parsers of some hosts answer 400 to these while the service still works, and an adapter cannot stop them. */
const EARLY: readonly string[] = [
  "bytes after the body",
  "bytes after the body in a part of their own",
  "bytes after the chunks",
  "a request without a host after the body",
];

async function haveNoEffect(place: Place, isMeant: (name: string) => boolean): Promise<void> {
  const { base, authorized, origin } = place;
  const faults: string[] = [];
  for (const [index, { name }] of halfSaid([], "{}").entries()) {
    if (!isMeant(name)) continue;
    const category = `Category ${crypto.randomUUID()}`;
    const body = JSON.stringify({ name: category });
    const said = halfSaid(postTo(place, "categories"), body)[index];
    ok(said);
    const first = await firstStatus(origin, said);
    const listed = await (await fetch(`${base}/categories`, { headers: authorized })).text();
    const created = listed.includes(`"${category}"`);
    // Each host has a parser of its own: what is malformed for one is not for another.
    if (created && first >= 400 && first < 500) faults.push(`${name}: ${first}, and created`);
    else if (!created && first < 300 && first > 0)
      faults.push(`${name}: ${first}, and not created`);
  }
  deepEqual(faults, []);
}
