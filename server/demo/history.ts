import { randomBytes } from "node:crypto";

import { bunPasswords } from "../../adapters/passwords-bun.ts";
import type { PetstoreClient, PetstoreOperations } from "../../domains/operations.ts";
import { DAY_MS, HOUR_MS, isoTime, SECOND_MS } from "../../lib/base/clock.ts";
import type { Actor, PetStatus } from "../../lib/index.ts";
import {
  addPhoto,
  createDeploy,
  local,
  managementClient,
  type Principal,
} from "../../lib/management/index.ts";
import { tarGz, type FileToPack } from "../../lib/publishing/index.ts";
import { must } from "../../settings/failure.ts";
import type { Service } from "../compose.ts";
import type { Storage } from "../data/storage.ts";
import { photoOf, sampleAnimals, sampleCategories } from "../sample/animals.ts";
import type { TravelClock } from "./clock.ts";
import type { Receivers } from "./receivers.ts";
import * as story from "./story.ts";
import { usageOf } from "./usage.ts";

/** What the history is written with. */
export interface HistoryContext {
  readonly storage: Storage;
  readonly service: Pick<Service, "management">;
  readonly clock: TravelClock;
  /** The present. */
  readonly now: number;
  readonly receivers: Pick<Receivers, "website" | "newsletter">;
}

/** How the visitor signs in. */
export interface Visitor {
  readonly email: string;
  /** A secret. All people of the shelter have it. */
  readonly password: string;
  /** An API key of Production. A secret. */
  readonly key: string;
}

interface Moment {
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

const SYSTEM: Actor = { kind: "system" };
const PASSWORD_BYTES = 9;

/**
 * Writes the month that the shelter has behind it: with the operations of the management API, as the people who did it, while
 * the clock shows when they did it.
 */
export async function writeHistory(context: HistoryContext): Promise<Visitor> {
  const { storage, clock, now } = context;
  const { memberStore } = storage;
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const hash = await bunPasswords.hash(password);
  const today = now - (now % DAY_MS);
  const when = (daysAgo: number, hour: number): number => today - daysAgo * DAY_MS + hour * HOUR_MS;

  clock.goTo(when(30, 8));
  const operator = clientOf(context, local);
  const { ada } = story.people;
  const { member: adaView } = must(await operator.call("POST /members", { body: ada }));
  await setPassword(storage, adaView.id, hash, clock.now());
  const asAda = clientOf(context, principalOf({ ...adaView, role: "operator" }));
  const body = { name: story.SHELTER, plan: "pro" } as const;
  const { id: account } = must(await asAda.call("POST /accounts", { body }));
  const join = async (
    who: keyof typeof story.people,
    role: "owner" | "staff" | "viewer",
  ): Promise<{ readonly id: string; readonly client: PetstoreClient }> => {
    const { email, name } = story.people[who];
    const added = await asAda.call("POST /accounts/:account/members", {
      account,
      body: { email, name, role },
    });
    const { member } = must(added);
    return {
      id: member.id,
      client: clientOf(context, principalOf({ id: member.id, name, role, account })),
    };
  };
  const grace = await join("grace", "owner");
  const linus = await join("linus", "staff");
  for (const { id } of [grace, linus]) await setPassword(storage, id, hash, clock.now());

  const animals = new Map<string, string>();
  const tokens = new Map<string, string>();
  const moments: Moment[] = [
    ...animalMoments(linus.client, { account, animals, when }),
    ...siteMoments(grace.client, account, when),
    ...keyMoments(context, { owner: grace.client, account, tokens, when }),
    ...enquiryMoments(context, { staff: linus.client, account, animals, when }),
    { at: when(2, 11), run: () => join("mary", "viewer") },
    ...webhookMoments(context, { owner: grace.client, account, when }),
  ];
  for (const { at, run } of moments.toSorted((one, other) => one.at - other.at)) {
    clock.goTo(at);
    await run();
  }
  const seen = when(1, 17);
  for (const memberId of [grace.id, linus.id]) {
    await memberStore.commit([lastSession(memberId, seen)], SYSTEM);
  }
  return { email: ada.email, password, key: tokens.get(story.keys[0].name) ?? "" };
}

/** Returns a client of the management API that acts for a caller. */
function clientOf(
  { service }: Pick<HistoryContext, "service">,
  principal: Principal,
): PetstoreClient {
  return managementClient<PetstoreOperations>({
    send: async (request) => service.management.fetch(request, { principal }),
  });
}

/** Returns a caller whose changes a member makes. Without a session, it needs no proof of identity. */
function principalOf({
  id,
  name,
  role,
  account,
}: {
  readonly id: string;
  readonly name: string;
  readonly role: Principal["role"];
  readonly account?: string;
}): Principal {
  const actor: Actor = {
    kind: "member",
    id,
    ...(account === undefined ? { of: "operators" } : {}),
  };
  return { role, accountId: account, name, counter: `demo ${id}`, actor };
}

async function setPassword(
  { memberStore }: Pick<Storage, "memberStore">,
  memberId: string,
  password: string,
  at: number,
): Promise<void> {
  await memberStore.commit([{ kind: "member.password", memberId, password, at }], SYSTEM);
}

/** Returns a session that has ended since, so that the list of people shows when they were last there. */
function lastSession(memberId: string, at: number) {
  const session = {
    id: randomBytes(8).toString("hex").slice(0, 10),
    memberId,
    hash: randomBytes(32).toString("hex"),
    createdAt: at,
    lastSeenAt: at,
    expiresAt: at + SECOND_MS,
    address: "127.0.0.1",
    userAgent: "",
  };
  return { kind: "session.create", session, max: 50 } as const;
}

interface InAccount {
  readonly account: string;
  readonly when: When;
}

interface InShelter extends InAccount {
  /** The ids of the animals by their names. */
  readonly animals: Map<string, string>;
}

type When = (daysAgo: number, hour: number) => number;

/** Animals of the sample arrive every second day; the others stay for a short time. */
function animalMoments(
  staff: PetstoreClient,
  { account, animals: idOf, when }: InShelter,
): readonly Moment[] {
  const at = { account, environment: "production" } as const;
  const categories = new Map<string, number>([
    ["Dogs", 1],
    ["Cats", 2],
  ]);
  const add = async (name: string, category: string, more: object = {}): Promise<string> => {
    const categoryId = categories.get(category) ?? 1;
    const added = await staff.call("POST /accounts/:account/:environment/pets", {
      ...at,
      body: { name, categoryId, ...more },
    });
    const id = String(must(added).id);
    idOf.set(name, id);
    return id;
  };
  const change = async (name: string, status: PetStatus): Promise<void> => {
    const pet = idOf.get(name) ?? "";
    const body = { status };
    const path = "PATCH /accounts/:account/:environment/pets/:pet";
    must(await staff.call(path, { ...at, pet, body }));
  };
  const adopt = async (name: string, adopter?: object): Promise<void> => {
    await change(name, "sold");
    const query = { petId: Number(idOf.get(name)) };
    const orders = must(
      await staff.call("GET /accounts/:account/:environment/orders", { ...at, query }),
    );
    const order = String(orders[0]?.id);
    const body = { status: "delivered", ...(adopter === undefined ? {} : { adopter }) } as const;
    const path = "PATCH /accounts/:account/:environment/orders/:order";
    must(await staff.call(path, { ...at, order, body }));
  };

  const arrivals = sampleAnimals.map(({ name, category, photo, bio }, index): Moment => {
    const arrival = when(29 - index * 2, 9 + (index % 5));
    return {
      at: arrival,
      run: async () => {
        const pet = await add(name, category);
        const body = { ...story.profiles[name], text: bio, intakeAt: isoTime(arrival) };
        const path = "PATCH /accounts/:account/:environment/pets/:pet/profile";
        must(await staff.call(path, { ...at, pet, body }));
        const picture = new Uint8Array(await photoOf(photo));
        must(await addPhoto(staff, { ...at, pet, picture, type: "image/webp", alt: name }));
      },
    };
  });
  return [
    {
      at: when(30, 9),
      run: async () => {
        for (const name of sampleCategories) {
          const path = "POST /accounts/:account/:environment/categories";
          categories.set(name, must(await staff.call(path, { ...at, body: { name } })).id);
        }
      },
    },
    ...arrivals,
    ...story.shortStays.flatMap(({ name, category, arrived, adopted, returned }): Moment[] => [
      { at: when(arrived, 15), run: () => add(name, category) },
      { at: when(adopted, 14), run: () => adopt(name) },
      ...(returned === undefined
        ? []
        : [{ at: when(returned, 12), run: () => change(name, "available") }]),
    ]),
    ...story.adoptions.flatMap(({ name, reserved, adopted, adopter }): Moment[] => [
      { at: when(reserved, 16), run: () => change(name, "pending") },
      ...(adopted === undefined
        ? []
        : [{ at: when(adopted, 13), run: () => adopt(name, adopter) }]),
    ]),
    { at: when(1, 9), run: () => add("Mimi (entered twice)", "Cats") },
    {
      at: when(1, 10),
      run: async () => {
        const pet = idOf.get("Mimi (entered twice)") ?? "";
        const path = "DELETE /accounts/:account/:environment/pets/:pet";
        must(await staff.call(path, { ...at, pet }));
      },
    },
    {
      at: when(25, 11),
      run: async () => {
        for (const name of ["Test dog", "Test cat"]) {
          const path = "POST /accounts/:account/:environment/pets";
          const input = { account, environment: "staging", body: { name, categoryId: 1 } } as const;
          must(await staff.call(path, input));
        }
      },
    },
  ];
}

/** Two projects: one with a site that changes now and then, and one whose domain leads elsewhere. */
function siteMoments(owner: PetstoreClient, account: string, when: When): readonly Moment[] {
  const create = async (project: { readonly name: string; readonly slug: string }) => {
    must(await owner.call("POST /accounts/:account/projects", { account, body: project }));
    const message = "First version";
    const { slug } = project;
    must(await createDeploy(owner, { project: slug, archive: "starter", message }));
  };
  const { slug: main } = story.MAIN_PROJECT;
  const { slug: second } = story.SECOND_PROJECT;
  const publish = ({ daysAgo, hour, message, footer }: (typeof story.deploys)[number]): Moment => ({
    at: when(daysAgo, hour),
    run: async () => {
      const file = { storefront: { texts: { footer } } };
      const archive = tarGz(oneFile("petstore.site.json", JSON.stringify(file, undefined, 2)));
      must(await createDeploy(owner, { project: main, archive, message }));
    },
  });
  return [
    { at: when(28, 10), run: () => create(story.MAIN_PROJECT) },
    {
      at: when(28, 11),
      run: async () => {
        const input = { project: main, body: story.SITE };
        must(await owner.call("PATCH /projects/:project/site", input));
      },
    },
    ...story.deploys.map(publish),
    { at: when(13, 10), run: () => create(story.SECOND_PROJECT) },
    {
      at: when(1, 16),
      run: async () => {
        const input = { project: second, body: { domain: story.STRAY_DOMAIN } };
        must(await owner.call("POST /projects/:project/domains", input));
      },
    },
  ];
}

async function* oneFile(path: string, text: string): AsyncGenerator<FileToPack> {
  const content = new TextEncoder().encode(`${text}\n`);
  yield { path, size: content.length, content };
}

/** Keys, and what their holders asked for. */
function keyMoments(
  { storage: { store }, now }: HistoryContext,
  {
    owner,
    account,
    tokens,
    when,
  }: InAccount & {
    readonly owner: PetstoreClient;
    /** The secrets by the names of the keys. */
    readonly tokens: Map<string, string>;
  },
): readonly Moment[] {
  const idOf = new Map<string, string>();
  const create = (key: (typeof story.keys)[number]): Moment => ({
    at: when(key.from, 10),
    run: async () => {
      const { name, environment } = key;
      const input = { account, body: { name, environment } };
      const made = must(await owner.call("POST /accounts/:account/keys", input));
      idOf.set(name, made.id);
      tokens.set(name, made.key);
    },
  });
  const revoke = ({ name, to }: (typeof story.keys)[number]): readonly Moment[] =>
    to === 0
      ? []
      : [
          {
            at: when(to, 18),
            run: async () => {
              const input = { account, key: idOf.get(name) ?? "" };
              must(await owner.call("DELETE /accounts/:account/keys/:key", input));
            },
          },
        ];
  return [
    ...story.keys.map(create),
    ...story.keys.flatMap(revoke),
    {
      at: now,
      run: async () => {
        const used = story.keys.map((key) => ({ ...key, id: idOf.get(key.name) ?? "" }));
        const lastUsed = used.map(({ id, to }) => ({ keyId: id, at: now - to * DAY_MS }));
        await store.commit(
          [
            { kind: "usage.add", rows: usageOf(account, used, now) },
            { kind: "counters.save", counters: [], lastUsed },
          ],
          SYSTEM,
        );
      },
    },
  ];
}

/** Their deliveries begin when the service starts. */
function webhookMoments(
  { receivers }: Pick<HistoryContext, "receivers">,
  { owner, account, when }: InAccount & { readonly owner: PetstoreClient },
): readonly Moment[] {
  return story.webhooks.map(({ daysAgo, to, description, types }) => ({
    at: when(daysAgo, 12),
    run: async () => {
      const body = { url: receivers[to], description, types };
      must(await owner.call("POST /accounts/:account/webhooks", { account, body }));
    },
  }));
}

/** What visitors asked, and what the staff made of it some hours later. */
function enquiryMoments(
  { storage: { store, enquiryStore, projectStore } }: HistoryContext,
  { staff, account, animals, when }: InShelter & { readonly staff: PetstoreClient },
): readonly Moment[] {
  const environment = "production";
  return story.enquiries.flatMap(
    ({ daysAgo, animal, name, email, message, state, notes }): Moment[] => {
      let enquiry = "";
      const ask = async (): Promise<void> => {
        const catalogue = await store.catalogues.of(account, environment);
        const found = await projectStore.projects.bySlug(story.MAIN_PROJECT.slug, when(0, 0));
        const added = await enquiryStore.commit(
          [
            {
              kind: "enquiry.add",
              enquiry: {
                ...{ name, email, message, petName: animal, petId: Number(animals.get(animal)) },
                catalogueId: catalogue?.id ?? 0,
                projectId: found?.project.id ?? "",
                site: story.SITE.title,
                language: "en",
                createdAt: when(daysAgo, 19),
              },
              stamp: randomBytes(16).toString("hex"),
              ...{ dayBefore: 0, maxPerDay: 100, maxKept: 100 },
            },
          ],
          { kind: "visitor" },
        );
        enquiry = String(added.ok ? added.value[0] : "");
      };
      const answer = async (): Promise<void> => {
        const path = "PATCH /accounts/:account/:environment/enquiries/:enquiry";
        const body = { state, ...(notes === undefined ? {} : { notes }) };
        must(await staff.call(path, { account, environment, enquiry, body }));
      };
      return [
        { at: when(daysAgo, 19), run: ask },
        ...(state === undefined ? [] : [{ at: when(daysAgo, 22), run: answer }]),
      ];
    },
  );
}
