import { expect } from "bun:test";

import type { Pet } from "../../../lib/catalogue/model.ts";
import { inAccount, type Case } from "../case.ts";
import { addCategory, addPet, expectProblem, type ErrorBody } from "../expect.ts";

export const pets: readonly Case[] = [
  {
    id: "pets.shape",
    source: "spec: Pet",
    sentence: "an animal has id, name, categoryId and status, and nothing else",
    both: true,
    run: inAccount(async ({ api }) => {
      const created = await api.post<Pet>("/v1/pets", {
        name: "Rex",
        categoryId: 2,
        status: "pending",
      });
      expect(created.body).toEqual({
        id: 1,
        name: "Rex",
        categoryId: 2,
        status: "pending",
      });
      expect((await api.get("/v1/pets/1")).body).toEqual(created.body);
      expect((await api.get("/v1/pets")).body).toEqual([created.body]);
    }),
  },
  {
    id: "pets.list-shape",
    source: "spec: Pets",
    sentence: "a list of animals is an array, which is empty without animals",
    both: true,
    run: inAccount(async ({ api }) => {
      expect((await api.get("/v1/pets")).text).toBe("[]");
      const pet = await addPet(api);
      expect((await api.get("/v1/pets")).body).toEqual([pet]);
    }),
  },
  {
    id: "pets.statuses",
    source: "spec: PetStatus",
    sentence: "the only statuses are available, pending and sold",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const status of ["available", "pending", "sold"]) {
        const reply = await api.post<Pet>("/v1/pets", { name: "Rex", categoryId: 1, status });
        expect(reply.status).toBe(201);
        expect(reply.body.status as string).toBe(status);
      }
      for (const status of ["", "Available", "adopted", "sold ", null, 1, ["sold"], {}]) {
        const reply = await api.post("/v1/pets", { name: "Rex", categoryId: 1, status });
        expect(expectProblem(reply, "invalid_value").errors?.[0]?.pointer).toBe("/status");
      }
    }),
  },
  {
    id: "pets.default-status",
    source: "contract: pets",
    sentence: "an animal created without a status is available",
    both: true,
    run: inAccount(async ({ api }) => {
      expect((await addPet(api)).status).toBe("available");
    }),
  },
  {
    id: "pets.location",
    source: "contract: categories",
    sentence: "201 has the Location of the new animal, on the requested host",
    both: true,
    run: inAccount(async ({ api }) => {
      const pet = await api.post("/v1/pets", { name: "Rex", categoryId: 1 });
      const { pathname } = new URL(pet.headers.get("location") ?? "");
      expect(pathname).toEndWith("/pets/1");
      expect((await api.get(pathname)).body).toEqual(pet.body);
    }),
  },
  {
    id: "pets.required",
    source: "spec: NewPet",
    sentence: "name and categoryId are required, status is not",
    both: true,
    run: inAccount(async ({ api }) => {
      const pointers = async (body: unknown): Promise<unknown> => {
        const { errors } = expectProblem(await api.post("/v1/pets", body), "missing_field");
        return errors?.map(({ pointer, code }) => `${code} ${pointer}`);
      };
      expect(await pointers({ categoryId: 1 })).toEqual(["missing_field /name"]);
      expect(await pointers({ name: "Rex" })).toEqual(["missing_field /categoryId"]);
      expect(await pointers({})).toEqual(["missing_field /name", "missing_field /categoryId"]);
      expect((await api.get("/v1/pets")).body).toEqual([]);
    }),
  },
  {
    id: "pets.types",
    source: "spec: createPet",
    sentence: "a field of the wrong type is 400 invalid_value",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const name of [1, null, true, [], {}, ["Rex"]]) {
        const reply = await api.post("/v1/pets", { name, categoryId: 1 });
        expect(expectProblem(reply, "invalid_value").errors?.[0]?.pointer).toBe("/name");
      }
      for (const categoryId of ["1", null, true, [1], {}, 1.5, 0, -1]) {
        const reply = await api.post("/v1/pets", { name: "Rex", categoryId });
        expect(expectProblem(reply, "invalid_value").errors?.[0]?.pointer).toBe("/categoryId");
      }
    }),
  },
  {
    id: "pets.several-faults",
    source: "contract: error body",
    sentence: "a 400 for a body reports all of its faults, each with pointer, code and message",
    both: true,
    run: inAccount(async ({ api }) => {
      const reply = await api.post<ErrorBody>("/v1/pets", {
        colour: "brown",
        name: "",
        categoryId: "x",
      });
      expect(reply.status).toBe(400);
      const errors = reply.body.errors ?? [];
      const found = errors.map(({ pointer, code }) => `${pointer} ${code}`);
      expect(found.toSorted()).toEqual([
        "/categoryId invalid_value",
        "/colour unknown_field",
        "/name invalid_value",
      ]);
      for (const error of errors) expect(error).toHaveProperty("message");
    }),
  },
  {
    id: "pets.body-shape",
    source: "contract: bodies",
    sentence: "a body that is not an object is 400 invalid_body",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const body of [[], [{ name: "Rex", categoryId: 1 }], "Rex", 1, null, true]) {
        expectProblem(await api.post("/v1/pets", body), "invalid_body");
      }
    }),
  },
  {
    id: "pets.unknown-field",
    source: "contract: bodies",
    sentence: "an unknown member is 400 unknown_field and suggests the nearest known name",
    both: true,
    run: inAccount(async ({ api }) => {
      const reply = await api.post("/v1/pets", { name: "Rex", categoryId: 1, satus: "sold" });
      expect(expectProblem(reply, "unknown_field").message).toContain('"status"');
      const far = await api.post("/v1/pets", { name: "Rex", categoryId: 1, vaccinated: true });
      expect(expectProblem(far, "unknown_field").message).not.toContain("Did you mean");
      expectProblem(
        await api.post("/v1/pets", { name: "R", categoryId: 1, id: 7 }),
        "unknown_field",
      );
    }),
  },
  {
    id: "pets.name-length",
    source: "contract: pets",
    sentence: "a name has 1 to 120 code points, of any number of bytes",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const name of ["x", "x".repeat(120), "🐕".repeat(120)]) {
        expect((await addPet(api, { name })).name).toBe(name);
      }
      for (const name of ["", " ", "\t\n", "x".repeat(121), "🐕".repeat(121)]) {
        const reply = await api.post("/v1/pets", { name, categoryId: 1 });
        expectProblem(reply, "invalid_value");
      }
    }),
  },
  {
    id: "pets.name-normal",
    source: "contract: pets",
    sentence: "a name is stored in NFC and trimmed",
    both: true,
    run: inAccount(async ({ api }) => {
      expect((await addPet(api, { name: "  Zoe\u0308 \n" })).name).toBe("Zo\u00eb");
      expect((await addPet(api, { name: "Mr.  Fox" })).name).toBe("Mr.  Fox");
      const padded = `${" ".repeat(200)}Rex${" ".repeat(200)}`;
      expect((await addPet(api, { name: padded })).name).toBe("Rex");
    }),
  },
  {
    id: "pets.name-control",
    source: "contract: pets",
    sentence: "a name with a control character, including NUL, is 400",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const control of ["\u0000", "\u0007", "\n", "\u001b", "\u007f", "\u0085"]) {
        const reply = await api.post("/v1/pets", { name: `Re${control}x`, categoryId: 1 });
        expectProblem(reply, "invalid_value");
      }
    }),
  },
  {
    id: "pets.name-surrogates",
    source: "contract: pets",
    sentence: "a name with a lone surrogate is 400",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const escape of ["\\ud83d", "\\udc15", "\\udc15\\ud83d"]) {
        const reply = await api.raw("POST", "/v1/pets", {
          headers: { "content-type": "application/json" },
          body: `{"name":"Rex ${escape}","categoryId":1}`,
        });
        expectProblem(reply, "invalid_value");
      }
      const paired = await api.raw<Pet>("POST", "/v1/pets", {
        headers: { "content-type": "application/json" },
        body: '{"name":"Rex \\ud83d\\udc15","categoryId":1}',
      });
      expect(paired.body.name).toBe("Rex 🐕");
    }),
  },
  {
    id: "pets.name-verbatim",
    source: "contract: pets",
    sentence: "text that looks like code is returned as it was sent",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const name of [
        `Robert'); DROP TABLE pets;--`,
        `<script>alert("x")</script>`,
        `"quoted" \\ back`,
        "{{7*7}} ${x} %s ?",
        "名前 שם اسم",
        "__proto__",
      ]) {
        const pet = await addPet(api, { name });
        expect((await api.get<Pet>(`/v1/pets/${pet.id}`)).body.name).toBe(name);
      }
    }),
  },
  {
    id: "pets.duplicates",
    source: "contract: pets",
    sentence: "two animals may have the same name",
    both: true,
    run: inAccount(async ({ api }) => {
      const [first, second] = [await addPet(api), await addPet(api)];
      expect(second).toEqual({ ...first, id: first.id + 1 });
    }),
  },
  {
    id: "pets.unknown-category",
    source: "contract: pets",
    sentence: "an unknown categoryId is 400 unknown_category",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const categoryId of [4, 999_999, 2 ** 53 - 1]) {
        const reply = await api.post("/v1/pets", { name: "Rex", categoryId });
        const { errors } = expectProblem(reply, "unknown_category");
        expect(errors?.[0]?.pointer).toBe("/categoryId");
      }
      const { id } = await addPet(api);
      expectProblem(await api.patch(`/v1/pets/${id}`, { categoryId: 4 }), "unknown_category");
      expect((await api.get<Pet>(`/v1/pets/${id}`)).body.categoryId).toBe(1);
    }),
  },
  {
    id: "pets.update-some",
    source: "contract: operations",
    sentence: "PATCH changes the given fields and keeps the others",
    both: true,
    run: inAccount(async ({ api }) => {
      const pet = await addPet(api);
      const path = `/v1/pets/${pet.id}`;
      expect((await api.patch(path, { name: "Bello" })).body).toEqual({ ...pet, name: "Bello" });
      const moved = { ...pet, name: "Bello", categoryId: 2 };
      expect((await api.patch(path, { categoryId: 2 })).body).toEqual(moved);
      const sold = { ...moved, status: "sold" };
      expect((await api.patch(path, { status: "sold" })).body).toEqual(sold);
      expect((await api.get(path)).body).toEqual(sold);
    }),
  },
  {
    id: "pets.update-nothing",
    source: "contract: transitions",
    sentence: "a PATCH that changes nothing returns 200 and keeps the ETag",
    both: true,
    run: inAccount(async ({ api }) => {
      const created = await api.post("/v1/pets", { name: "Rex", categoryId: 1 });
      for (const body of [{}, { name: "Rex" }, { name: " Rex ", status: "available" }]) {
        const reply = await api.patch("/v1/pets/1", body);
        expect(reply.status).toBe(200);
        expect(reply.body).toEqual(created.body);
        expect(reply.headers.get("etag")).toBe(created.headers.get("etag"));
      }
    }),
  },
  {
    id: "pets.update-refused-whole",
    source: "contract: bodies",
    sentence: "a PATCH with one fault changes nothing",
    both: true,
    run: inAccount(async ({ api }) => {
      const pet = await addPet(api);
      for (const body of [
        { name: "Bello", status: "gone" },
        { name: "Bello", categoryId: 99 },
        { name: "Bello", age: 3 },
        { name: "Bello", id: 2 },
        { name: "Bello", categoryId: null },
      ]) {
        expect((await api.patch(`/v1/pets/${pet.id}`, body)).status).toBe(400);
      }
      expect((await api.get(`/v1/pets/${pet.id}`)).body).toEqual(pet);
    }),
  },
  {
    id: "pets.merge-patch",
    source: "contract: bodies",
    sentence: "PATCH accepts application/merge-patch+json too",
    both: true,
    run: inAccount(async ({ api }) => {
      const { id } = await addPet(api);
      const reply = await api.raw("PATCH", `/v1/pets/${id}`, {
        headers: { "content-type": "application/merge-patch+json" },
        body: '{"name":"Bello"}',
      });
      expect(reply.status).toBe(200);
    }),
  },
  {
    id: "pets.getpet-replacement",
    source: "spec: getPet",
    sentence: "GET /pets with a status filter finds the same animal as getPet",
    both: true,
    run: inAccount(async ({ api }) => {
      const pet = await addPet(api, { status: "pending" });
      await addPet(api);
      expect((await api.get(`/v1/pets/${pet.id}`)).body).toEqual(pet);
      expect((await api.get("/v1/pets?status=pending")).body).toEqual([pet]);
      expect((await api.get(`/v1/pets?id=${pet.id}`)).body).toEqual([pet]);
    }),
  },
  {
    id: "pets.ids-grow",
    source: "contract: ids",
    sentence: "ids count from 1 in each catalogue and are never reused",
    both: true,
    run: inAccount(async ({ api }) => {
      expect((await addPet(api)).id).toBe(1);
      expect((await addPet(api)).id).toBe(2);
      await api.delete("/v1/pets/2");
      expect((await addPet(api)).id).toBe(3);
      const category = await addCategory(api, "Rabbits");
      expect(category).toBe(4);
      await api.delete(`/v1/categories/${category}`);
      expect(await addCategory(api, "Rabbits")).toBe(5);
    }),
  },
  {
    id: "pets.ids-after-purge",
    source: "contract: ids",
    sentence: "the id of a purged animal is not reused",
    needs: "clock",
    both: true,
    run: inAccount(async ({ api }, env) => {
      await addPet(api);
      await addPet(api);
      await api.delete("/v1/pets/2");
      for (let day = 0; day < 4; day++) await env.inside.pass(86_400_000);
      expect((await addPet(api)).id).toBe(3);
    }),
  },
  {
    id: "pets.ids-impossible",
    source: "contract: ids",
    sentence: "an impossible id in a path is 404 not_found",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api);
      for (const id of [
        "abc",
        "0",
        "01",
        "-1",
        "1.0",
        "1e0",
        "+1",
        "0x1",
        "%2531",
        "%C2%B9",
        "1%20",
        "null",
        "__proto__",
        String(2n ** 53n),
        String(2n ** 60n),
        String(2n ** 64n + 1n),
        "9".repeat(500),
      ]) {
        expectProblem(await api.get(`/v1/pets/${id}`), "not_found");
        expectProblem(await api.delete(`/v1/pets/${id}`), "not_found");
        expectProblem(await api.patch(`/v1/pets/${id}`, {}), "not_found");
        expectProblem(await api.post(`/v1/pets/${id}/restore`), "not_found");
        expectProblem(await api.delete(`/v1/categories/${id}`), "not_found");
      }
    }),
  },
  {
    id: "pets.integers",
    source: "contract: ids",
    sentence: "an integer that a double cannot hold exactly is 400",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const categoryId of [
        "9007199254740992",
        "9007199254740993",
        "1.0000000000000000000001",
        "1e400",
        "-9007199254740993",
        "18446744073709551617",
      ]) {
        const reply = await api.raw("POST", "/v1/pets", {
          headers: { "content-type": "application/json" },
          body: `{"name":"Rex","categoryId":${categoryId}}`,
        });
        expectProblem(reply, "invalid_value");
      }
      const largest = await api.raw("POST", "/v1/pets", {
        headers: { "content-type": "application/json" },
        body: '{"name":"Rex","categoryId":9007199254740991}',
      });
      expectProblem(largest, "unknown_category");
    }),
  },
];
