import { expect, test } from "bun:test";

import { answerChallenge, answerProbe, redirectRoute } from "../domains/http/plain-http.ts";
import { createPresence } from "../domains/outside/presence.ts";
import { silentLog } from "../lib/base/log.ts";
import type { ManagementEndpoint } from "../lib/management/endpoint.ts";
import { memoryBlobs } from "../lib/publishing/memory-blobs.ts";
import { createVisits } from "../lib/publishing/serving/visit.ts";
import type { Found } from "../lib/publishing/site.ts";
import { everyEndpoint } from "./helpers/every-endpoint.ts";
import { openShop } from "./helpers/storefront.ts";
import { watchHeaders } from "./helpers/watch-headers.ts";
import { requestTo, senderOf } from "./lib/management/samples.ts";
import { openTenants } from "./lib/management/tenants.ts";
import { siteOf } from "./lib/publishing/serving/shop-window.ts";

// No two responses may share a headers object. test/conformance/complete.test.ts checks the
// public API, which it covers anyway; test/dashboard checks the dashboard and the guides.

test("operations of the management API, members and domains do not share headers objects", async () => {
  const { office, ours } = await openTenants();
  // Deletions come last, so that the others find their resources.
  const last = ["DELETE", "deleteProject", "deleteAccount"];
  const place = ({ method, operationId }: ManagementEndpoint): number =>
    Math.max(last.indexOf(method), last.indexOf(operationId));
  const inOrder = everyEndpoint.toSorted((a, b) => place(a) - place(b));
  const unlike: string[] = [];
  using watch = watchHeaders();
  for (const { operationId, method, path: pattern, success } of inOrder) {
    // Below the rate limit per minute.
    office.clock.advance(1_000);
    const path = pattern.replaceAll(/:(\w+)/g, "{$1}");
    const { api, things } = await senderOf(office, operationId, "operator");
    const asked = requestTo({ operationId, method, path }, { ...ours.things, ...things });
    const { status, headers } = await api.raw(method, asked.path, asked.init);
    if (status !== success.status) unlike.push(`${operationId} ${status}`);
    const etag = headers.get("etag") ?? '"none"';
    await api.raw(method, asked.path, { headers: { "if-none-match": etag } });
    await api.raw("OPTIONS", asked.path);
    if (method === "GET") await api.raw("HEAD", asked.path);
    await office.browser().api.raw(method, asked.path, asked.init);
  }
  // A newer setup link replaced theirs, the newcomer's address is in use, the animal has one more photo and is then deleted,
  // and no job has read the imported file and the photos beside it.
  expect(unlike.toSorted()).toEqual([
    "checkSetupLink 401",
    "claimSetup 401",
    "createAccountMember 409",
    "getImportMapping 409",
    "orderAnimalPhotos 400",
    "removeAnimalPhoto 404",
    "runImport 409",
    "setUpMember 401",
  ]);
  expect([...watch.shared]).toEqual([]);
});

test("sites, their previews and their storefronts do not share headers objects", async () => {
  const blobs = memoryBlobs();
  const files = {
    "/index.html": { content: "plain text", br: "br", gzip: "gzip" },
    "/large.bin": new TextEncoder().encode("x".repeat(3_000_000)),
    "/404.html": "not here",
    "/deep/index.html": "deep",
  };
  const large = { content: files["/large.bin"] };
  const siteFile = { redirects: [{ from: "/old", to: "/new", status: 301 as const }] };
  const site = await siteOf(blobs, { ...files, "/large.bin": large }, { siteFile });
  const shop = await openShop();
  const found: Readonly<Record<string, Found>> = {
    site: { kind: "site", site: { ...site, project: shop.site.project } },
    shop: { kind: "site", site: shop.site },
    moved: { kind: "moved", slug: "elsewhere" },
    empty: { kind: "empty", project: site.project },
  };
  const visit = createVisits({
    sites: { bySlug: (slug) => found[slug] },
    previews: (slug) => found[slug],
    blobs,
    storefront: shop.storefront,
    log: silentLog,
  });
  const asked: readonly (readonly [method: string, headers: Record<string, string>])[] = [
    ["GET", {}],
    ["HEAD", {}],
    ["GET", { "accept-encoding": "br, gzip" }],
    ["GET", { range: "bytes=0-1" }],
    ["GET", { range: "bytes=9999999-" }],
    ["GET", { "if-none-match": "*" }],
    ["GET", { "if-match": '"none"' }],
    ["OPTIONS", {}],
    ["POST", {}],
  ];
  const statuses = new Set<number>();
  using watch = watchHeaders();
  for (const slug of [...Object.keys(found), "nobody"]) {
    for (const path of ["/", "/large.bin", "/deep", "/old", "/none", "/feed.json", "/animals/1"]) {
      for (const [method, headers] of asked) {
        for (const deployId of ["d1", undefined]) {
          const request = new Request(`http://site.test${path}`, { method, headers });
          const { status } = await visit(request, {
            slug,
            origin: "http://site.test",
            addressOf: (label) => `http://${label}.test`,
            ...(deployId === undefined ? {} : { deployId }),
          });
          statuses.add(status);
        }
      }
    }
  }
  const expected = [200, 204, 206, 301, 304, 308, 404, 405, 412, 416];
  expect(statuses).toEqual(new Set(expected));
  expect([...watch.shared]).toEqual([]);
});

test("responses of custom domains before a site do not share headers objects", async () => {
  const presence = createPresence(new Uint8Array(32).fill(7));
  const { token } = presence.question("pets.test");
  const route = {
    kind: "redirect",
    projectId: "p",
    to: "https://pets.test",
    status: 308,
    hstsSeconds: 0,
  } as const;
  using watch = watchHeaders();
  for (let time = 0; time < 2; time++) {
    redirectRoute(route, "/dogs");
    for (const method of ["GET", "HEAD", "POST"]) {
      for (const last of [token, "A".repeat(43)]) {
        const at = (prefix: string) => ({ method, host: "pets.test", target: prefix + last });
        const challenges = { http01: () => (last === token ? "authorization" : undefined) };
        await answerChallenge(challenges, at("/.well-known/acme-challenge/"));
        answerProbe(presence, at("/.well-known/petstore-probe/"), () => "served");
      }
    }
  }
  expect(watch.responses()).toBe(26);
  expect([...watch.shared]).toEqual([]);
});
