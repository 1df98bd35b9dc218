import { expect, test } from "bun:test";

import { certificatesOf } from "../../domains/serving/presented.ts";
import { createRouteTable } from "../../domains/serving/routes.ts";
import { createSeal } from "../../domains/storage/seal.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { MINUTE_MS } from "../../lib/base/clock.ts";
import { manualClock } from "../../testing/clock.ts";
import { readContents } from "../../backup/snapshot.ts";
import { isCarried } from "../../transfer/tables.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import { writeFile } from "node:fs/promises";
import { filesIn } from "../backup/fixture.ts";
import { chance, runSeed, torture } from "../helpers/chance.ts";
import { START } from "../helpers/domains/rows.ts";
import { drive, openWorld } from "../helpers/domains/world.ts";
import {
  contentsOf,
  empty,
  exported,
  imported,
  KEY,
  live,
  open,
  type History,
  type Opened,
} from "./fixture.ts";

const seeds = Array.from({ length: torture ? 20 : 1 }, (_, index) => runSeed + index);

test.each(seeds)(
  "after a random history (seed %d), export, import and export again is equal byte for byte, and so is every page",
  async (seed) => {
    const random = chance(seed);
    const here = await empty();
    const first = await open(here);
    const history = await live(first, random);
    await first.close();
    await addDomain(here);
    await writeFile(here.caRoot, "a root");
    await writeFile(here.caKey, "a sealed key\n");

    const from = await exported(here);
    const there = await imported(from);
    const [before, after] = [await contentsOf(from), await contentsOf(await exported(there))];
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, text] of before) expect([name, after.get(name)]).toEqual([name, text]);
    const used = [...before].filter(([name, text]) => name.startsWith("tables/") && text !== "");
    expect(used.length).toBeGreaterThanOrEqual(28);
    expect([...before.keys()]).toContain("files/internal-ca.key");
    expect([...before.keys()].filter((name) => name.startsWith("blobs/")).length).toBeGreaterThan(
      0,
    );
    expect(await filesIn(there.blobs)).toEqual(
      (await filesIn(here.blobs)).filter((name) => !name.startsWith("unfinished")),
    );

    const carried = (directory: DataDirectory) =>
      Object.entries(readContents(directory.database).tables).filter(([name]) =>
        isCarried(name, "export"),
      );
    expect(carried(there)).toEqual(carried(here));

    const certificate = await certificateOf(here);
    expect(certificate?.privateKeyPem).toContain("PRIVATE KEY");
    expect(await certificateOf(there)).toEqual(certificate);

    const pair = [await open(here), await open(there)] as const;
    const [old, moved] = pair;
    expect(await walk(moved, history)).toEqual(await walk(old, history));
    // Numbers continue: the same animal, category and order get the same ids on both.
    for (const key of history.keys) {
      const made = await Promise.all(
        pair.map(async (side) => {
          const api = side.production(key);
          const pet = { name: "New", categoryId: 1, status: "sold" };
          const bodies = [
            await api.post("/v1/categories", { name: "New" }),
            await api.post("/v1/pets", pet),
            await api.get("/v1/store/orders?limit=1"),
          ];
          return bodies.map(({ status, body }) => [status, withoutTimes(body)]);
        }),
      );
      expect(made[1]).toEqual(made[0]);
      expect(made[0]?.[1]?.[0]).toBe(201);
    }
    const numbers = await Promise.all(pair.map(newestEvent));
    expect(numbers[1]).toEqual(numbers[0]);
    for (const side of pair) await side.close();
  },
);

/** Makes a custom domain live, with a certificate, in the way of a server. */
async function addDomain({ database }: DataDirectory): Promise<void> {
  const world = await openWorld(database);
  await world.add(1);
  await drive(world, world.pipeline(), START + MINUTE_MS);
  await world.close();
}

/** What a handshake with the domain presents. */
async function certificateOf({ database }: DataDirectory) {
  const sql = await bunSqliteSql({ path: database });
  try {
    const clock = manualClock(START + MINUTE_MS);
    const store = await sqlDomainStore({ sql, clock });
    const gatekeeper = { slugOf: async () => "site" };
    const routes = createRouteTable({ store, gatekeeper, clock });
    await routes.refresh();
    return await certificatesOf({ store, routes, seal: createSeal(KEY) })("pets1.test")?.load();
  } finally {
    await sql.close();
  }
}

/** Reads every page of both APIs. */
async function walk(opened: Opened, { keys, accounts, projects }: History) {
  const { manage } = opened;
  const lists = [
    "/accounts",
    "/tokens",
    "/members",
    "/projects",
    "/domains",
    "/events?limit=100",
    ...accounts.flatMap((id) => [
      `/accounts/${id}`,
      `/accounts/${id}/keys`,
      `/accounts/${id}/tokens`,
      `/accounts/${id}/members`,
      `/accounts/${id}/events?limit=100`,
      ...["production", "staging"].flatMap((environment) =>
        ["pets", "pets/deleted", "categories", "orders", "summary"].map(
          (what) => `/accounts/${id}/${environment}/${what}`,
        ),
      ),
    ]),
    ...projects.flatMap((slug) => [`/projects/${slug}`, `/projects/${slug}/deploys`]),
  ];
  const seen = new Map<string, unknown>();
  for (const path of lists) {
    let next: string | undefined = path;
    while (next !== undefined) {
      const page: Awaited<ReturnType<typeof manage.get>> = await manage.get(next);
      expect([next, page.status]).toEqual([next, 200]);
      seen.set(next, page.body);
      next = nextOf(page.headers, "/manage/v1");
    }
  }
  for (const key of keys) {
    for (const path of ["/v1/pets?limit=7", "/v1/categories", "/v1/store/orders"]) {
      let next: string | undefined = path;
      while (next !== undefined) {
        const page: Awaited<ReturnType<typeof manage.get>> = await opened.production(key).get(next);
        // The first page carries the revision of the catalogue.
        seen.set(`${key} ${next}`, [page.status, page.body, page.headers.get("etag")]);
        next = nextOf(page.headers, "");
      }
    }
  }
  return seen;
}

function nextOf(headers: Headers, base: string): string | undefined {
  const url = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  if (url === undefined) return undefined;
  const { pathname, search } = new URL(url, "http://petstore.test");
  return pathname.slice(base.length) + search;
}

function withoutTimes(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === "createdAt" ? "" : value)));
}

async function newestEvent({ manage }: Opened): Promise<unknown> {
  const { body } =
    await manage.get<readonly { readonly seq?: number; readonly id?: unknown }[]>(
      "/events?limit=1",
    );
  return body.map(({ seq, id }) => seq ?? id);
}
