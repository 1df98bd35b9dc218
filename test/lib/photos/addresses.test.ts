import { beforeEach, describe, expect, test } from "bun:test";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import {
  createPetstore,
  sqlStore,
  type Environment,
  type FetchContext,
  type Petstore,
} from "../../../lib/index.ts";
import { photoPath } from "../../../lib/catalogue/photo-address.ts";
import type { StoredPhoto } from "../../../lib/catalogue/model-profile.ts";
import { createPublishing, memoryBlobs, sqlProjectStore } from "../../../lib/publishing/index.ts";
import type { Blobs, Publishing } from "../../../lib/publishing/index.ts";
import { manualClock, type ManualClock } from "../../helpers/clock.ts";
import { START } from "../../helpers/management.ts";
import { must } from "../../helpers/outcome.ts";
import { pngOf, quickImages } from "../../helpers/pictures.ts";

const png = await pngOf({ width: 900, height: 600 });

let production: Petstore;
let staging: Petstore;
let publishing: Publishing;
let blobs: Blobs;
let accountId = "";
let petId = 0;
let photo: StoredPhoto;
/** The path of a size below the API, and on a site. */
let path = "";

async function add(of: { readonly environment?: Environment; readonly petId: number }) {
  const { photos } = production;
  if (photos === undefined) throw new Error("There are no photos.");
  return must(await photos.add({ accountId, ...of }, { picture: png }));
}

/** The domain of all projects, if they have one. */
let ownDomain: string | undefined;
let clock: ManualClock;

beforeEach(async () => {
  ownDomain = undefined;
  clock = manualClock(START);
  const sql = await bunSqliteSql({ path: ":memory:", clock });
  const store = await sqlStore({ sql, clock });
  blobs = memoryBlobs({ clock });
  publishing = createPublishing({
    store,
    projectStore: await sqlProjectStore({ sql, clock }),
    blobs,
    clock,
    addressOfProject: ({ slug }) => ownDomain ?? `https://${slug}.example.org`,
  });
  const { isShown, photoHost } = publishing;
  const shared = { store, clock, images: quickImages, blobs, isShown, photoHost };
  production = createPetstore(shared);
  staging = createPetstore({ ...shared, environment: "staging" });
  accountId = must(await production.client.accounts.create({ name: "Otters" })).id;
  petId = must(await production.client.pets.create({ accountId, name: "Bella", categoryId: 1 })).id;
  photo = await add({ petId });
  const [size] = photo.sizes;
  if (size === undefined) throw new Error("The photo has no sizes.");
  path = photoPath(photo, size);
});

const ask = async (
  petstore: Petstore,
  {
    at = path,
    key,
    method = "GET",
    context = {},
    ...more
  }: {
    readonly at?: string;
    readonly key?: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly context?: FetchContext;
  } = {},
): Promise<Response> =>
  petstore.fetch(
    new Request(`https://pets.example.org/v1${at}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...more.headers,
      },
    }),
    context,
  );

const keyOf = async (environment: Environment, of = accountId): Promise<string> =>
  must(await production.client.keys.create({ accountId: of, environment })).token;

async function publish(filter?: { readonly statuses: readonly ["available"] }): Promise<string> {
  const project = must(
    await publishing.projects.create({ accountId, name: "Site", ...(filter && { filter }) }),
  );
  must(await publishing.projects.deploys.create(project.id, { archive: "starter", author: "Ada" }));
  return project.slug;
}

const visit = async (slug: string, at = path): Promise<Response> =>
  publishing.visit(new Request(`https://${slug}.example.org${at}`), {
    slug,
    origin: `https://${slug}.example.org`,
    addressOf: (other) => `https://${other}.example.org`,
  });

describe("below the API", () => {
  test("a photo needs no key, may be kept for ever, and is shown by pages of any origin", async () => {
    const response = await ask(production);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(await response.text()).toStartWith("image/webp 900 of");
    const etag = response.headers.get("etag") ?? "";
    const again = await ask(production, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await ask(production, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(Number(head.headers.get("content-length"))).toBe(photo.sizes[0]?.bytes ?? 0);
  });

  test("each size is found, and no other name", async () => {
    for (const size of photo.sizes) {
      const response = await ask(production, { at: photoPath(photo, size) });
      expect(response.headers.get("content-type")).toBe(size.type);
      expect(await response.text()).toStartWith(`${size.type} ${size.width} of`);
    }
    expect((await ask(production, { at: path.replace("900.webp", "901.webp") })).status).toBe(404);
    expect((await ask(production, { at: path.replace(photo.hash, "0".repeat(64)) })).status).toBe(
      404,
    );
    expect((await ask(production, { at: "/photos/x/900.webp" })).status).toBe(404);
  });

  test("a user of the host sees those that the sites hide, and pages of other sites do not", async () => {
    await publish({ statuses: ["available"] });
    must(await production.client.pets.update({ accountId, petId, status: "sold" }));
    expect((await ask(production)).status).toBe(404);
    const other = must(await production.client.accounts.create({ name: "Foxes" })).id;
    const actor = { id: "7" };
    const seen = async (principal: FetchContext["principal"], site = "same-origin") =>
      (await ask(production, { context: { principal }, headers: { "sec-fetch-site": site } }))
        .status;
    expect(await seen({ account: accountId, actor })).toBe(200);
    const { headers } = await ask(production, {
      context: { principal: { account: accountId, actor } },
    });
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.has("access-control-allow-origin")).toBe(false);
    expect(await seen({ account: accountId, actor }, "cross-site")).toBe(404);
    expect(await seen({ account: accountId, actor, scopes: ["pets:write"] })).toBe(404);
    expect(await seen({ account: other, actor })).toBe(404);
    expect(await seen(() => null)).toBe(404);
    expect(await seen(() => Promise.reject(new Error("no session store")))).toBe(500);
  });

  test("the host is not asked who sees a photo that everybody may see", async () => {
    const principal = (): never => {
      throw new Error("Nobody has to sign in.");
    };
    const response = await ask(production, { context: { principal } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "*",
    ]);
  });

  test("profiles lead there", async () => {
    const key = await keyOf("production");
    const response = await ask(production, { at: `/pets/${petId}/profile`, key });
    const { photos } = await response.json();
    const { url } = photos[0].sizes[1];
    const found = await production.fetch(new Request(url));
    expect(await found.text()).toStartWith("image/webp 400 of");
  });

  test("the photo of a deleted animal is 404 at once, and back when it is restored", async () => {
    must(await production.client.pets.delete({ accountId, petId }));
    expect((await ask(production)).status).toBe(404);
    must(await production.client.pets.restore({ accountId, petId }));
    expect((await ask(production)).status).toBe(200);
  });

  test("a removed photo is 404 at once, unless another animal has the same", async () => {
    const other = must(
      await production.client.pets.create({ accountId, name: "Rex", categoryId: 1 }),
    );
    await add({ petId: other.id });
    must(
      (await production.photos?.remove({ accountId, petId, photoId: 1 })) ?? {
        ok: true,
        value: undefined,
      },
    );
    expect((await ask(production)).status).toBe(200);
    must(await production.client.pets.delete({ accountId, petId: other.id }));
    expect((await ask(production)).status).toBe(404);
  });

  test("the photos of a suspended account are 404", async () => {
    must(await production.client.accounts.suspend(accountId));
    expect((await ask(production)).status).toBe(404);
    must(await production.client.accounts.resume(accountId));
    expect((await ask(production)).status).toBe(200);
  });

  test("an animal that no site shows is 404, except for a key of its catalogue", async () => {
    await publish({ statuses: ["available"] });
    expect((await ask(production)).status).toBe(200);
    must(await production.client.pets.update({ accountId, petId, status: "sold" }));
    expect((await ask(production)).status).toBe(404);
    expect((await ask(production, { key: await keyOf("production") })).status).toBe(200);
    const foxes = must(await production.client.accounts.create({ name: "Foxes" }));
    expect((await ask(production, { key: await keyOf("production", foxes.id) })).status).toBe(404);
    expect((await ask(production, { key: "pet_live_wrong" })).status).toBe(404);
  });

  test("a photo of Staging needs a key of Staging", async () => {
    const pet = must(await staging.client.pets.create({ accountId, name: "Test", categoryId: 1 }));
    must(await production.client.pets.delete({ accountId, petId }));
    expect((await add({ environment: "staging", petId: pet.id })).hash).toBe(photo.hash);
    for (const petstore of [production, staging]) {
      expect((await ask(petstore)).status).toBe(404);
      expect((await ask(petstore, { key: await keyOf("production") })).status).toBe(404);
    }
    const key = await keyOf("staging");
    expect((await ask(staging, { key })).status).toBe(200);
    expect((await ask(production, { key })).status).toBe(404);
  });

  test("a missing file is a 500 that tells nothing", async () => {
    await blobs.delete(photo.hash);
    const response = await ask(production);
    expect([response.status, await response.text()]).toEqual([500, "The server failed.\n"]);
  });
});

describe("on a site", () => {
  test("it shows the photos of the animals that it shows", async () => {
    const slug = await publish({ statuses: ["available"] });
    const response = await visit(slug);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/webp"]);
    must(await production.client.pets.update({ accountId, petId, status: "sold" }));
    expect((await visit(slug)).status).toBe(404);
    expect((await visit(await publish())).status).toBe(404);
  });

  test("a picture that many hidden animals have too is found", async () => {
    const slug = await publish({ statuses: ["available"] });
    for (let count = 0; count < 100; count++) {
      const of = { accountId, name: "Gone", categoryId: 1, status: "sold" } as const;
      await add({ petId: must(await production.client.pets.create(of)).id });
    }
    must(await production.client.pets.delete({ accountId, petId }));
    const last = must(
      await production.client.pets.create({ accountId, name: "Rex", categoryId: 1 }),
    );
    expect((await visit(slug)).status).toBe(404);
    await add({ petId: last.id });
    expect((await visit(slug)).status).toBe(200);
    expect((await ask(production)).status).toBe(200);
  });

  test("another account's photos are 404", async () => {
    const foxes = must(await production.client.accounts.create({ name: "Foxes" }));
    const project = must(await publishing.projects.create({ accountId: foxes.id, name: "Den" }));
    must(
      await publishing.projects.deploys.create(project.id, { archive: "starter", author: "Ada" }),
    );
    expect((await visit(project.slug)).status).toBe(404);
  });
});

describe("addresses of photos in lists with profiles", () => {
  interface Listed {
    readonly etag: string | null;
    /** The addresses of the first photos of the animals, newest first. */
    readonly urls: readonly string[];
    readonly status: number;
  }
  const list = async (
    petstore: Petstore,
    key: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Listed> => {
    const response = await ask(petstore, { at: "/pets?include=profile", key, headers });
    const body = response.status === 200 ? await response.json() : [];
    const urls = body.flatMap(
      ({ profile }: { profile?: { photos?: readonly { sizes: readonly { url: string }[] }[] } }) =>
        profile?.photos?.[0]?.sizes[0]?.url ?? [],
    );
    return { etag: response.headers.get("etag"), urls, status: response.status };
  };
  const below = "https://pets.example.org/v1/photos/";

  test("are below the API without a site, and on the site's host with one, where they are served", async () => {
    const key = await keyOf("production");
    expect((await list(production, key)).urls).toEqual([expect.stringContaining(below)]);
    const slug = await publish();
    clock.advance(1_000);
    const { urls } = await list(production, key);
    expect(urls).toEqual([`https://${slug}.example.org${path}`]);
    const shown = await visit(slug);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([
      200,
      expect.stringContaining("immutable"),
    ]);
    expect((await ask(production)).status).toBe(200);
  });

  test("follow the domain of the project within a second, with another ETag, though no animal has changed", async () => {
    const key = await keyOf("production");
    const slug = await publish();
    clock.advance(1_000);
    const first = await list(production, key);
    expect(await list(production, key)).toEqual(first);
    expect((await list(production, key, { "if-none-match": first.etag ?? "" })).status).toBe(304);
    ownDomain = "https://pets.shelter.org";
    clock.advance(1_000);
    const next = await list(production, key, { "if-none-match": first.etag ?? "" });
    expect([next.status, next.urls]).toEqual([200, [`https://pets.shelter.org${path}`]]);
    expect(next.etag).not.toBe(first.etag);
    expect((await visit(slug)).status).toBe(200);
  });

  test("are below the API for an animal that the site hides, and for all of Staging", async () => {
    const slug = await publish({ statuses: ["available"] });
    const hidden = must(
      await production.client.pets.create({
        accountId,
        name: "Rex",
        categoryId: 1,
        status: "pending",
      }),
    );
    await add({ petId: hidden.id });
    clock.advance(1_000);
    const { urls } = await list(production, await keyOf("production"));
    expect(urls).toEqual([
      expect.stringContaining(below),
      expect.stringContaining(`https://${slug}.example.org/`),
    ]);
    const environment = "staging" as const;
    const pet = must(
      await production.client.pets.create({ accountId, environment, name: "Bo", categoryId: 1 }),
    );
    await add({ environment, petId: pet.id });
    expect((await list(staging, await keyOf("staging"))).urls).toEqual([
      expect.stringContaining(below),
    ]);
  });

  test("lead to nothing within a second once the animal is hidden or deleted", async () => {
    const slug = await publish({ statuses: ["available"] });
    clock.advance(1_000);
    expect((await visit(slug)).status).toBe(200);
    const pet = { accountId, petId };
    must(await production.client.pets.update({ ...pet, status: "pending" }));
    clock.advance(1_000);
    expect((await visit(slug)).status).toBe(404);
    must(await production.client.pets.update({ ...pet, status: "available" }));
    expect((await visit(slug)).status).toBe(200);
    must(await production.client.pets.delete(pet));
    clock.advance(1_000);
    expect((await visit(slug)).status).toBe(404);
  });

  test("change nothing of the list without profiles", async () => {
    const key = await keyOf("production");
    const before = await ask(production, { at: "/pets", key });
    await publish();
    ownDomain = "https://pets.shelter.org";
    clock.advance(1_000);
    const after = await ask(production, { at: "/pets", key });
    expect([await after.text(), after.headers.get("etag")]).toEqual([
      await before.text(),
      before.headers.get("etag"),
    ]);
  });
});
