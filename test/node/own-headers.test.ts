import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";

import { hostsWithPackage } from "../helpers/nested.ts";
import { endHost } from "../helpers/process.ts";
import { firstLine } from "./first-line.ts";

const PROJECT = join(import.meta.dir, "project");
const runtimes = { Node: join(PROJECT, "node_modules/node24/bin/node"), Bun: process.execPath };

interface Announced {
  readonly origins: Readonly<Record<string, string>>;
  readonly credentials: unknown;
  readonly key: string;
}

/** Headers added by connections and runtimes. */
const OF_THE_HOST = ["connection", "date", "keep-alive", "transfer-encoding", "content-length"];

/** Headers of `GET /v1/pets` only. */
const OF_A_LIST = [
  "access-control-allow-origin",
  "access-control-expose-headers",
  "cache-control",
  "content-type",
  "etag",
  "link",
  "ratelimit",
  "ratelimit-policy",
  "vary",
  "x-content-type-options",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
];

const lacking = await hostsWithPackage();

for (const [runtime, by] of Object.entries(runtimes)) {
  const title = `on ${runtime}, where @hono/node-server replaced Response`;
  describe.skipIf(lacking !== undefined)(`${title}${lacking ? ` (${lacking})` : ""}`, () => {
    let host: Announced;
    let end: () => Promise<void> = async () => {};

    beforeAll(async () => {
      const child = Bun.spawn([by, "hosts/signed-in.js"], {
        cwd: PROJECT,
        stdio: ["pipe", "pipe", "pipe"],
      });
      const complaints = new Response(child.stderr).text();
      end = () => endHost(child, complaints);
      const line = await firstLine(child.stdout);
      if (line === "") throw new Error(`The host did not start: ${await complaints}`);
      host = JSON.parse(line);
    });

    afterAll(() => end());

    for (const server of ["@hono/node-server", "node:http"]) {
      const origin = (): string => host.origins[server] ?? "";
      const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
        fetch(origin() + path, init);
      const json = { "content-type": "application/json" };
      const signIn = (): Promise<Response> =>
        ask("/manage/v1/sessions", {
          method: "POST",
          headers: { ...json, origin: origin() },
          body: JSON.stringify(host.credentials),
        });
      const withKey = (path: string, init: RequestInit = {}): Promise<Response> =>
        ask(path, { ...init, headers: { ...json, authorization: `Bearer ${host.key}` } });

      test(`${server}: a session's cookie reaches no other client`, async () => {
        const anonymous = ["/manage/v1/sign-in", "/manage/v1/me", "/manage/v1/openapi.json"];
        for (let round = 0; round < 3; round++) {
          const signedIn = await signIn();
          // The session, and the browser that is known from now on.
          expect([signedIn.status, signedIn.headers.getSetCookie().length]).toEqual([201, 2]);
          for (const path of anonymous) {
            expect((await ask(path)).headers.getSetCookie(), path).toEqual([]);
          }
          const [, ...others] = await Promise.all([
            signIn(),
            ...anonymous.map((path) => ask(path)),
            ask("/manage/v1/sessions", { method: "POST", headers: json, body: "{}" }),
          ]);
          for (const { headers } of others) expect(headers.getSetCookie()).toEqual([]);
        }
      });

      test(`${server}: headers of one response do not appear in the next`, async () => {
        for (let round = 0; round < 3; round++) {
          const body = JSON.stringify({ name: "Rex", categoryId: 1 });
          const created = await withKey("/v1/pets", { method: "POST", body });
          expect(created.headers.get("location")).toStartWith(`${origin()}/v1/pets/`);
          const deprecated = await withKey(`/v1/pets/${(await created.json()).id}`);
          expect(deprecated.headers.get("deprecation")).toBe("@1795132800");
          await withKey("/v1/pets", { method: "HEAD" });
          const refused = await ask("/v1/pets");
          expect(refused.headers.get("www-authenticate")).toStartWith("Bearer");

          const list = await withKey("/v1/pets");
          const names = [...list.headers.keys()].filter((name) => !OF_THE_HOST.includes(name));
          expect(names.toSorted()).toEqual(OF_A_LIST);
          // Another body's length would truncate this one, or leave the client waiting.
          expect(list.headers.get("link")).not.toContain("successor-version");
          expect(Array.isArray(await list.json())).toBe(true);
        }
      });

      test(`${server}: a preview's headers for search engines do not appear on the site`, async () => {
        for (let round = 0; round < 3; round++) {
          const preview = await ask("/site/?preview");
          expect([preview.status, preview.headers.get("x-robots-tag")]).toEqual([
            200,
            "noindex, nofollow",
          ]);
          const part = await ask("/site/", { headers: { range: "bytes=0-1" } });
          expect([part.status, (await part.text()).length]).toEqual([206, 2]);
          const site = await ask("/site/");
          expect([site.status, await site.text()]).toEqual([200, "a page of a site"]);
          expect(site.headers.has("x-robots-tag")).toBe(false);
          expect(site.headers.has("content-range")).toBe(false);
        }
      });
    }
  });
}
