import { describe, expect, test } from "bun:test";

import { problem } from "../../../lib/base/problem.ts";
import { done, refused } from "../../../lib/base/result.ts";
import { listOf, shape, text, whole } from "../../../lib/base/shape.ts";
import { onPublic } from "../../../lib/catalogue/routes/on-public.ts";
import { list, operation, rowOf } from "../../../lib/catalogue/routes/operation.ts";
import type { OperationsOf } from "../../../lib/http/operation.ts";
import { idParameter } from "../../../lib/http/parameters.ts";
import type { PublicCall, PublicServices } from "../../../lib/http/public-endpoint.ts";
import { Reply } from "../../../lib/http/endpoint.ts";
import type { AnyCall } from "../../../lib/management/endpoint.ts";
import type { ManagementServices } from "../../../lib/management/management.ts";
import { onManagement } from "../../../lib/management/on-management.ts";

interface Photo {
  readonly id: number;
  readonly pet: number;
  readonly version: number;
  readonly updatedAt: number;
}

const photo = (id: number, pet: number): Photo => ({ id, pet, version: 1, updatedAt: 0 });
const photoShape = shape("Photo", { id: whole(), url: text() });
const example = { id: 3, url: "/7/3" };
const show = ({ id, pet }: Photo): typeof example => ({ id, url: `/${pet}/${id}` });
const output = rowOf({ schema: photoShape, example, show });
const texts = { summary: "Photos", description: "Photos.", success: "Photos." };
const path = "/pets/:pet/photos";
const scope = "pets:read";
const noAnimal = problem("not_found", "There is no such animal.");

const listPhotos = list({
  ...texts,
  path,
  public: { operationId: "listPhotos", scope, filters: { of: idParameter("Of.") } },
  management: {
    operationId: "listAnimalPhotos",
    role: "viewer",
    filters: {},
    pages: { order: "desc", after: idParameter("After.") },
  },
  items: { schema: listOf("Photos", photoShape), example: [example], show },
  select: (_context, { ids: { pet } }) => {
    if (pet !== 7) return refused(noAnimal);
    return done({ rows: ({ limit }) => [photo(2, pet), photo(1, pet)].slice(0, limit) });
  },
});
const addPhoto = operation({
  ...texts,
  method: "POST",
  path,
  public: { operationId: "addPhoto", scope },
  management: { operationId: "addAnimalPhoto", role: "staff" },
  creates: true,
  output,
  run: (_context, { ids }) => done(photo(3, ids.pet)),
});
const getPhoto = operation({
  ...texts,
  method: "GET",
  path: "/pets/:pet/photos/:photo",
  public: { operationId: "getPhoto", scope },
  output,
  run: (_context, { ids }) => done(photo(ids.photo, ids.pet)),
});
const operations = [listPhotos, addPhoto, getPhoto] as const;
const published = onPublic(operations);
const managed = onManagement(operations);

const request = new Request("http://pets.test/");
const base = "http://pets.test";

/** Runs an operation of the public API. */
async function ask(operationId: string, params: Readonly<Record<string, string>>) {
  const call = {
    params,
    base,
    request,
    query: { limit: 1, sort: "-id", count: false },
    caller: { key: { catalogueId: 1, scopes: [] } },
    remember: () => () => [],
  };
  const services = { actions: {}, cursors: () => ({ seal: () => "sealed" }) };
  const endpoint = published.find((one) => one.operationId === operationId);
  return endpoint?.run(call as unknown as PublicCall, services as unknown as PublicServices);
}

/** Runs an operation of the management API. */
async function manage(operationId: string, pet: string) {
  const params = { account: "acc_1", environment: "production", pet };
  const call = { params, base, request, query: { limit: 1 }, account: { id: "acc_1" } };
  const services = { store: { catalogues: { of: () => ({ id: 1 }) } } };
  const endpoint = managed.find((one) => one.operationId === operationId);
  return endpoint?.run(call as unknown as AnyCall, services as unknown as ManagementServices);
}

describe("an operation below a row", () => {
  test("has a parameter for each row in its path, and belongs to the APIs that it names", () => {
    expect(published.map((one) => `${one.method} ${one.path}`)).toEqual([
      "GET /pets/:petId/photos",
      "POST /pets/:petId/photos",
      "GET /pets/:petId/photos/:photoId",
    ]);
    expect(managed.map((one) => `${one.method} ${one.path}`)).toEqual([
      "GET /accounts/:account/:environment/pets/:pet/photos",
      "POST /accounts/:account/:environment/pets/:pet/photos",
    ]);
    const [name]: readonly (keyof OperationsOf<typeof published>)[] = [
      "GET /pets/:petId/photos/:photoId",
    ];
    // @ts-expect-error only the public API has this operation.
    const [none]: readonly (keyof OperationsOf<typeof managed>)[] = [name];
    expect(none).toBe(name as never);
  });

  test("gets the ids of its path", async () => {
    expect(await ask("getPhoto", { petId: "7", photoId: "9" })).toMatchObject({
      value: { status: 200, body: '{"id":9,"url":"/7/9"}', etag: '"9-1-0"' },
    });
    expect(await ask("getPhoto", { petId: "x", photoId: "09" })).toMatchObject({
      value: { body: '{"id":0,"url":"/0/0"}' },
    });
  });

  test("that creates has a Location where the API can read what it creates", async () => {
    expect(await ask("addPhoto", { petId: "7" })).toMatchObject({
      value: { status: 201, headers: { location: `${base}/pets/7/photos/3` } },
    });
    expect(await manage("addAnimalPhoto", "7")).toEqual(
      done(new Reply({ id: 3, url: "/7/3" }, { etag: '"3-1-0"' })),
    );
  });
});

describe("a list below a row", () => {
  test("links to its pages at the address of the row", async () => {
    expect(await ask("listPhotos", { petId: "7" })).toMatchObject({
      value: {
        body: '[{"id":2,"url":"/7/2"}]',
        headers: {
          link: `<${base}/pets/7/photos?limit=1>; rel="first", <${base}/pets/7/photos?limit=1&cursor=sealed>; rel="next"`,
        },
      },
    });
    const link = `<${base}/accounts/acc_1/production/pets/7/photos?after=2&limit=1>; rel="next"`;
    expect(await manage("listAnimalPhotos", "7")).toEqual(
      done(new Reply([{ id: 2, url: "/7/2" }], { headers: { link } })),
    );
  });

  test("can refuse, and documents it", async () => {
    expect(await ask("listPhotos", { petId: "8" })).toEqual(refused(noAnimal));
    expect(await manage("listAnimalPhotos", "8")).toEqual(refused(noAnimal));
    expect(published[0]?.refusals).toContain("not_found");
  });
});
