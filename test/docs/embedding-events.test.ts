import { expect, test } from "bun:test";

import type { postgresStore } from "../../adapters/postgres/sql.ts";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { system } from "../../lib/model/actor.ts";
import { addPets, openShelter, runFor } from "../helpers/event-consumers.ts";
import { must } from "../helpers/outcome.ts";
import { START } from "../../testing/shelter.ts";

const page = await Bun.file(new URL("../../docs/embedding-events.md", import.meta.url)).text();
const blocks = [...page.matchAll(/```(?:js|ts)\n(.*?)```/gs)].map(([, code = ""]) => code);
const transpiler = new Bun.Transpiler({ loader: "ts" });
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

/** Runs the block of the page that contains the text, with these values, and returns what it names `result`. */
async function run(
  part: string,
  given: Readonly<Record<string, unknown>>,
  result = "undefined",
): Promise<unknown> {
  const code = blocks.find((block) => block.includes(part)) ?? "";
  const body = transpiler.transformSync(code.replaceAll("export ", ""));
  return AsyncFunction(
    ...Object.keys(given),
    `${body}\nreturn ${result};`,
  )(...Object.values(given));
}

test("a handler gets what the page says that it gets, until off is called", async () => {
  const { petstore } = openShelter(memoryStore());
  const told: unknown[][] = [];
  const tellVolunteers = async (...words: readonly unknown[]) => void told.push([...words]);
  const off = await run("tellVolunteers", { petstore, tellVolunteers }, "off");
  const { client, jobs } = petstore;
  await addPets(petstore, "Rex", "Bo");
  must(await client.pets.update({ petId: 1, status: "sold" }));
  await jobs.tick();
  (off as () => void)();
  must(await client.pets.update({ petId: 2, status: "sold" }));
  await jobs.tick();
  expect(told).toEqual([["Rex", "available"]]);
});

test("onError of the page sends an event to the dead letters after 20 attempts", async () => {
  const shelter = openShelter(memoryStore());
  const { petstore } = shelter;
  const bodies: string[] = [];
  const fetch = async (_url: string, { body }: { readonly body: string }) => {
    bodies.push(body);
    if (bodies.length % 2 === 1) return { ok: false, status: 500 };
    throw new Error("unreachable");
  };
  const letters: unknown[][] = [];
  const deadLetters = {
    add: async (...letter: readonly unknown[]) => void letters.push([...letter]),
  };
  await run("deadLetters", { petstore, url: "https://books.example", fetch, deadLetters });
  must(await petstore.client.pets.create({ name: "Rex", categoryId: 1, status: "sold" }));
  await runFor(shelter, 4_000);
  expect(bodies).toHaveLength(20);
  expect(JSON.parse(bodies[0] ?? "").order).toMatchObject({ id: 1, petId: 1 });
  expect(letters).toHaveLength(1);
  expect(letters[0]).toEqual([
    expect.objectContaining({ type: "order.placed" }),
    "Error: unreachable",
  ]);
});

test("onGap of the page builds the index again", async () => {
  const store = memoryStore();
  const shelter = openShelter(store);
  const { petstore, clock } = shelter;
  const calls: unknown[] = [];
  const index = {
    update: ({ pet }: { readonly pet: { readonly name: string } }) => calls.push(pet.name),
    rebuild: async () => calls.push("rebuilt"),
  };
  await run("rebuild", { petstore, index });
  await addPets(petstore, "Ada");
  await petstore.jobs.tick();
  await petstore.close();
  await addPets(petstore, "Bo", "Cleo");
  const eventsThrough = (await store.events.last()) - 1;
  const all = { deletedBefore: 0, adoptersBefore: 0, eventsBefore: 1e15, limit: 100 };
  await store.commit([{ kind: "purge", now: START, eventsThrough, ...all }], system);
  const next = openShelter(store, clock);
  await run("rebuild", { petstore: next.petstore, index });
  await next.petstore.jobs.tick();
  expect(calls).toEqual(["Ada", "rebuilt", "Cleo"]);
});

test("the list of services ticks each of them", async () => {
  const ticked: string[] = [];
  const names =
    "petstore publishing management members notices mail webhooks audit requests enquiries imports domains";
  const services = Object.fromEntries(
    names.split(" ").map((name) => [name, { jobs: { tick: async () => ticked.push(name) } }]),
  );
  const tick = await run("const services", services, "tick");
  await (tick as () => Promise<void>)();
  expect(ticked).toEqual(names.split(" "));
});

test("the scheduled function handles the events of its absence, once, and saves what is in memory", async () => {
  const store = memoryStore();
  const { petstore, clock } = openShelter(store);
  await addPets(petstore, "Ada");
  const indexed: string[] = [];
  const indexPet = ({ data }: { readonly data: { readonly pet: { readonly name: string } } }) =>
    void indexed.push(data.pet.name);
  let closed = 0;
  const given: Readonly<Record<string, unknown>> = {
    postgresStore: async (options: Parameters<typeof postgresStore>[0]) => {
      expect(options.url).toBe("postgres://db/app");
      return { ...store, close: async () => void closed++ };
    },
    createPetstore: (options: Parameters<typeof createPetstore>[0]) =>
      createPetstore({ ...options, clock }),
    process: { env: { DATABASE_URL: "postgres://db/app" } },
    postgres: () => undefined,
    encryptionKey: new Uint8Array(32).fill(7),
    indexPet,
  };
  const handler = (await run("async function handler", given, "handler")) as () => Promise<void>;
  await handler();
  await addPets(petstore, "Bo", "Cleo");
  await handler();
  await handler();
  expect(indexed).toEqual(["Bo", "Cleo"]);
  expect(closed).toBe(3);
});
