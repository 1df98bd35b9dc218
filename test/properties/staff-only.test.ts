import { expect, test } from "bun:test";

import type { Log } from "../../lib/base/log.ts";
import { MAX_PHOTOS, profileLeaves, publicProfile } from "../../lib/catalogue/model-profile.ts";
import { utf8 } from "../../lib/base/digest.ts";
import { refused } from "../../lib/base/result.ts";
import { createAudit, memoryAuditStore } from "../../lib/audit/index.ts";
import { createEnquiries, memoryEnquiryStore } from "../../lib/enquiries/index.ts";
import { createPetstore } from "../../lib/petstore.ts";
import { system } from "../../lib/model/actor.ts";
import { scopes } from "../../lib/model/scope.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock, type ManualClock } from "../../testing/clock.ts";
import { fullProfile, newPhoto } from "../../testing/store/profiles.ts";
import { operations } from "../conformance/operations.ts";
import { START_MS } from "../conformance/in-process.ts";
import { must } from "../conformance/shelter.ts";
import { api, type Reply } from "../helpers/api.ts";
import { openOffice } from "../helpers/management.ts";
import { openShop, ORIGIN, type Shop } from "../helpers/storefront.ts";

/** What only staff may see. Each has a word of its own, so that any part of the text is found. */
const canaries = {
  staffNotes: "Quagga notes of the staff",
  microchip: "Thylacine 276098106123456",
  adopter: "Solenodon Kim",
  contact: "axolotl@example.org",
  visitor: "Numbat Petersen",
  email: "fossa@example.org",
  phone: "Okapi 030",
  message: "Dugong or not?",
  notes: "Vaquita on Friday",
} as const;
const words = Object.values(canaries).map((text) => text.split(/[ @]/)[0] ?? "");

/** What everyone may see: without it, the walk would prove nothing. */
const PUBLIC = "Capybara";
const { staffNotes, microchip } = canaries;
const profile = {
  ...fullProfile,
  breed: { text: PUBLIC },
  staffNotes,
  microchip,
};

/** Sorts what was seen by what is found in it. */
function found(seen: ReadonlyMap<string, string>): {
  readonly leaks: readonly string[];
  readonly open: readonly string[];
} {
  const all = [...seen];
  return {
    leaks: all
      .filter(([, text]) => words.some((word) => text.includes(word)))
      .map(([name]) => name),
    open: all.filter(([, text]) => text.includes(PUBLIC)).map(([name]) => name),
  };
}

test("every member of a profile is public or only for staff, as the table says", () => {
  const shown = Object.keys(publicProfile(profile));
  const declared = Object.entries(profileLeaves).filter(
    ([, { audience }]) => audience === "public",
  );
  const names = new Set(declared.map(([leaf]) => leaf.replace(/\..*/, "")));
  expect(new Set(shown)).toEqual(names);
});

test("what only staff may see is in no public response, page, feed, event, log or report", async () => {
  const seen = new Map<string, string>();
  const note = (message: string, ...facts: readonly unknown[]): void => {
    seen.set(`log ${seen.size}`, Bun.inspect([message, ...facts], { depth: 10 }));
  };
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const store = memoryStore();
  const clock = manualClock(START_MS);
  const enquiryStore = memoryEnquiryStore({ store });
  const { desk } = createEnquiries({
    store,
    enquiryStore,
    encryptionKey: new Uint8Array(32).fill(7),
    clock,
    log,
    addressOf: (accountId, id) => `https://pets.test/accounts/${accountId}/enquiries?enquiry=${id}`,
    // Logged, since the enquiry is stored.
    mail: { enabled: true, enqueue: async () => refused("full") },
    ownersOf: async () => ["owner@pets.test"],
  });
  const shop = await openShop({}, { store, enquiries: desk });
  const { production: catalogueId, account, addPet } = shop.shelter;
  const petstore = createPetstore({
    store,
    clock,
    log,
    encryptionKey: new Uint8Array(32).fill(7),
    onAnswer: (answered) => seen.set(`report ${seen.size}`, JSON.stringify(answered)),
  });
  petstore.events.subscribe((event) => void seen.set(`event ${seen.size}`, JSON.stringify(event)));
  await petstore.jobs.tick();
  const pet = await addPet({ name: "Bella" });
  const at = START_MS;
  const photo = { ...newPhoto(), alt: "Bella runs" };
  const of = { catalogueId, petId: pet.id, at };
  must(
    await store.commit(
      [
        { kind: "profile.set", ...of, from: 0, to: profile },
        { kind: "photo.add", ...of, photo, maxBytes: MAX_PHOTOS * photo.bytes },
        { kind: "photo.change", ...of, photoId: 1, alt: "Bella sits" },
        {
          kind: "pet.create",
          catalogueId,
          at,
          pet: { name: "Ida", categoryId: 1, status: "sold" },
          profile: { ...profile, externalId: "A-2" },
        },
      ],
      system,
    ),
  );
  const [order] = await store.orders.list(catalogueId, {}, { limit: 1, order: "asc" });
  if (order === undefined) throw new Error("A sold animal has an order.");
  const adopter = { name: canaries.adopter, contact: canaries.contact };
  must(
    await store.commit(
      [{ kind: "order.update", catalogueId, from: order, to: order, adopter, at }],
      system,
    ),
  );

  await askAs(shop, clock, seen);
  const [enquiry] = await enquiryStore.list(catalogueId, {}, { limit: 1, order: "asc" });
  if (enquiry === undefined) throw new Error("The enquiry is not stored.");
  const to = { state: "answered", notes: canaries.notes } as const;
  must(await enquiryStore.commit([{ kind: "enquiry.update", from: enquiry, to, at }], system));

  const limits = { perMinute: 100_000, perDay: 1_000_000 };
  must(
    await petstore.client.accounts.changePlan({
      accountId: account.id,
      plan: "enterprise",
      limits,
    }),
  );
  const issued = must(
    await petstore.client.keys.create({ accountId: account.id, name: "site", scopes }),
  );
  const caller = api({ fetch: petstore.fetch, key: issued.token });
  const listen = async (name: string, reply: Promise<Reply<unknown>>): Promise<void> => {
    const { status, headers, text } = await reply;
    seen.set(`${name} ${status}`, `${JSON.stringify([...headers])}\n${text}`);
  };
  for (const { operationId, method, prepare } of operations) {
    const { path, body } = await prepare(caller);
    // The animal with the canaries, in place of the one that was made for the request.
    const at = path.replace(/(?<=\/pets\/)\d+/, String(pet.id));
    const headers = { "content-type": "application/json", "idempotency-key": operationId };
    const init = { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    for (const again of ["", ", again"])
      await listen(`${operationId}${again}`, caller.raw(method, at, init));
    if (method !== "GET") continue;
    for (const query of [
      "include=profile",
      "include=profile&q=capybara",
      "id=1",
      "include=profile&count=true",
    ]) {
      await listen(`${operationId}?${query}`, caller.get(`${at}?${query}`));
    }
  }
  for (const word of words) {
    const list = await caller.get(`/v1/pets?include=profile&q=${word}`);
    expect([word, list.body]).toEqual([word, []]);
  }
  // A profile that is replaced in public keeps what its caller does not see.
  const kept = await caller.raw("PUT", "/v1/pets/1/profile", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ breed: { text: PUBLIC } }),
  });
  expect([kept.status, kept.body]).toMatchObject([200, { breed: { text: PUBLIC } }]);
  const [stored] = await store.profiles.of(catalogueId, [pet.id]);
  expect(stored?.fields).toEqual({ breed: { text: PUBLIC }, staffNotes, microchip });

  for (const address of [
    "/",
    "/?category=1",
    "/animals/1",
    "/animals/2",
    "/embed",
    "/feed.json",
    "/feed.xml",
    "/rss.xml",
    "/rescuegroups.csv",
    "/adoptapet.csv",
    "/sitemap.xml",
    "/robots.txt",
    "/site.css",
  ]) {
    const response = await shop.visit(address);
    if (response !== undefined) seen.set(`page ${address}`, await response.text());
  }
  await petstore.jobs.tick();
  for (const { seq, data } of await store.events.after(0, 10_000)) {
    seen.set(`stored event ${seq}`, JSON.stringify(data));
  }
  const auditStore = memoryAuditStore();
  const audit = createAudit({ store, auditStore, clock });
  clock.advance(1_000);
  await audit.jobs.tick();
  for (const row of await auditStore.after(0, 10_000)) {
    seen.set(`audit row ${row.seq} ${row.type}`, JSON.stringify(row));
  }
  const rows = [...seen.keys()].filter((name) => name.startsWith("audit row "));
  for (const type of ["order.updated", "enquiry.created", "pet.profile_updated", "photo.added"]) {
    expect(rows.some((name) => name.endsWith(type))).toBe(true);
  }
  const { leaks, open } = found(seen);
  expect(leaks).toEqual([]);
  expect(open.some((name) => name.startsWith("listPets"))).toBe(true);
  expect(open.some((name) => name.startsWith("getPetProfile"))).toBe(true);
  expect(open.some((name) => name.startsWith("event"))).toBe(true);
  expect(open.some((name) => name.startsWith("page /animals"))).toBe(true);
  const types = (await store.events.after(0, 10_000)).map(({ type }) => type);
  expect(types).toContain("enquiry.created");
  // The audit log has no text that a person wrote, not even public ones.
  expect(open.filter((name) => name.startsWith("audit row "))).toEqual([]);
  expect([...seen.keys()].filter((name) => /^(?:form|log) /.test(name)).length).toBeGreaterThan(4);
  await petstore.close();
});

/** Asks about the first animal on its form. Adds what every visitor may see of that. */
async function askAs(
  { storefront, site }: Shop,
  clock: ManualClock,
  seen: Map<string, string>,
): Promise<void> {
  const visitor = {
    site,
    path: "",
    search: "",
    headers: new Headers(),
    head: false,
    origin: ORIGIN,
  };
  const { visitor: name, email, phone, message } = canaries;
  const ask = async (sent: boolean, body?: URLSearchParams): Promise<string> => {
    const posted = body && { body: utf8(body.toString()), address: "192.0.2.1" };
    const response = await storefront.enquiry?.(visitor, { petId: 1, sent }, posted);
    if (response === undefined) throw new Error("The site has no form.");
    const text = await response.text();
    const { status, headers } = response;
    seen.set(`form ${seen.size} ${status}`, `${JSON.stringify([...headers])}\n${text}`);
    return text;
  };
  const stamp = / name="stamp" value="([^"]*)"/.exec(await ask(false))?.[1] ?? "";
  await clock.advance(5_000);
  await ask(false, new URLSearchParams({ name, email, phone, message, consent: "yes", stamp }));
  await ask(false);
  await ask(true);
}

test("staff see notes and microchip in the management API, and viewers do not", async () => {
  const office = await openOffice();
  const at = `/manage/v1/accounts/${office.accountId}/production/pets`;
  const staff = office.as("staff");
  await staff.post(at, { name: "Bella", categoryId: 1 });
  await staff.patch(`${at}/1/profile`, { breed: { text: PUBLIC }, staffNotes, microchip });
  const full = { breed: { text: PUBLIC }, staffNotes, microchip };
  for (const role of ["operator", "owner", "staff", "viewer"] as const) {
    const caller = office.as(role);
    const expected = role === "viewer" ? { breed: { text: PUBLIC } } : full;
    expect((await caller.get(`${at}/1/profile`)).body).toEqual(expected);
    const [listed] = (await caller.get<readonly object[]>(`${at}?include=profile`)).body;
    expect(listed).toMatchObject({ id: 1, profile: expected });
    expect(Object.keys(Reflect.get(listed ?? {}, "profile"))).toEqual(Object.keys(expected));
  }
  await office.petstore.close();
});
