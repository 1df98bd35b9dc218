import { expect, test } from "bun:test";

import { activityIn } from "../../../../../dashboard/app/pages/overview/activity.ts";
import { overview as german } from "../../../../../dashboard/app/words/de/overview.ts";
import { overview as english } from "../../../../../dashboard/app/words/en/overview.ts";
import type { EventView } from "../../../../../lib/management/event-pages.ts";
import { eventTypes, type EventType } from "../../../../../lib/model/event.ts";

const naming = { accountId: "acc_1", ...english };
let seq = 0;

const event = (
  type: EventType,
  data: EventView["data"] = {},
  more: Partial<EventView> = {},
): EventView => ({
  seq: ++seq,
  type,
  accountId: "acc_1",
  environment: "production",
  at: 1_000_000,
  data,
  ...more,
});
const rex = { id: 7, name: "Rex", categoryId: 1, status: "available" };

/** The lines shown for some events. */
const read = (...events: readonly EventView[]): readonly string[] =>
  activityIn(events, naming).map(({ code, subject, more }) => {
    const text = english.happened[code](subject);
    return more === 0 ? text : `${text} +${more}`;
  });

test("a change of status names the new status", () => {
  const became = (status: string) =>
    read(event("pet.status_changed", { pet: { ...rex, status }, from: "available" }));
  expect(became("sold")).toEqual(["Rex was adopted"]);
  expect(became("pending")).toEqual(["Rex is reserved"]);
  expect(became("available")).toEqual(["Rex is available again"]);
  expect(became("eaten")).toEqual([]);
});

test("animals added within a minute share a line, others do not", () => {
  const added = (name: string, at: number, environment?: "staging") =>
    event("pet.created", { pet: { ...rex, name } }, { at, ...(environment && { environment }) });
  expect(
    read(
      added("C", 100_000),
      added("B", 99_000),
      added("A", 41_000),
      added("Old", 1_000),
      event("project.created", { name: "Site" }, { at: 900 }),
      added("Older", 800),
      added("Trial", 790, "staging"),
    ),
  ).toEqual([
    "C was added +2",
    "Old was added",
    "The project Site was created",
    "Older was added",
    "Trial was added",
  ]);
});

test("what alternates, such as animals and their profiles, makes a line of each kind", () => {
  const events = Array.from({ length: 5 }, (_, index) => [
    event("pet.profile_updated", { petId: index, name: `Pet ${index}` }),
    event("pet.created", { pet: { ...rex, name: `Pet ${index}` } }),
    event("photo.added", { petId: index }),
  ]).flat();
  expect(read(...events)).toEqual([
    "The profile of Pet 0 was changed +4",
    "Pet 0 was added +4",
    "A photo of #0 was added +4",
  ]);
  const between = event("project.created", { name: "Site" });
  expect(read(...events.slice(0, 3), between, ...events.slice(3))).toHaveLength(7);
});

test("what an import wrote belongs to its line", () => {
  const ada = { kind: "member", id: "mem_1", name: "Ada" } as const;
  const by = (at: number, actor: EventView["actor"] = ada) => ({
    at,
    ...(actor === undefined ? {} : { actor }),
  });
  const finished = { import: { id: "imp_1", fileName: "animals.csv", startedAt: 200_000 } };
  const others = { kind: "key", id: "k1", name: "Website" } as const;
  expect(
    read(
      event("import.finished", finished, by(900_000)),
      event("photo.added", { petId: 7 }, by(899_000)),
      event("pet.created", { pet: { ...rex, name: "By a key" } }, by(500_000, others)),
      event("pet.profile_updated", { petId: 7, name: "Rex" }, by(400_000)),
      event(
        "pet.created",
        { pet: { ...rex, name: "Staging" } },
        {
          ...by(400_000),
          environment: "staging",
        },
      ),
      event("pet.created", { pet: rex }, by(300_000)),
      event("deploy.activated", { source: "starter" }, by(250_000)),
      event("category.created", { category: { id: 1, name: "Dogs" } }, by(200_000)),
      event("pet.created", { pet: { ...rex, name: "Before" } }, by(199_000)),
    ),
  ).toEqual([
    "The import of animals.csv finished",
    "By a key was added",
    "Staging was added",
    "Now live: the storefront",
    "Before was added",
  ]);
});

test("animals changed by different people do not share a line, and each line says by whom", () => {
  const anna = { kind: "member", id: "mem_1", name: "Anna" } as const;
  const key = { kind: "key", id: "k1", name: "Website" } as const;
  const added = (actor?: EventView["actor"]) =>
    event("pet.created", { pet: rex }, actor === undefined ? {} : { actor });
  const lines = activityIn([added(anna), added(anna), added(key), added()], naming);
  expect(lines.map(({ by, more }) => [by, more])).toEqual([
    [anna, 1],
    [key, 0],
    [undefined, 0],
  ]);
  const said = ({ by }: typeof english) => [by.member("Anna"), by.key("Website"), by.system()];
  expect(said(english)).toEqual(["by Anna", "by key Website", "by the system"]);
  expect(said(german)).toEqual(["von Anna", "mit dem Schlüssel Website", "vom System"]);
});

test("projects never share a line", () => {
  const made = (name: string) => event("project.created", { name });
  expect(read(made("One"), made("Two"))).toHaveLength(2);
});

test.each<[EventView, string | undefined]>([
  [event("pet.created", { pet: rex }), "/accounts/acc_1/animals/7"],
  [event("pet.deleted", { pet: rex }), "/accounts/acc_1/deleted"],
  [
    event("domain.failed", { domain: "pets.example.org", projectId: "prj_1" }),
    "/projects/prj_1/domains/pets.example.org",
  ],
  [event("deploy.activated", { projectId: "prj_1", source: "starter" }), "/projects/prj_1"],
  [event("key.banned", { keyId: "k", name: "Web" }), "/accounts/acc_1/keys"],
  [event("account.updated"), "/accounts/acc_1"],
  [event("token.created", { tokenId: "t" }), undefined],
])("%j links to the page of its subject", (one, href) => {
  expect(activityIn([one], naming)[0]?.href).toBe(href);
});

test("a deploy without a message is described by its contents", () => {
  const published = (data: EventView["data"]) => read(event("deploy.activated", data))[0];
  expect(published({ source: "archive", message: "New photos" })).toBe("Now live: New photos");
  expect(published({ source: "starter", files: 3 })).toBe("Now live: the storefront");
  expect(published({ source: "archive", files: 3 })).toBe("Now live: 3 files");
  expect(read(event("deploy.failed", { source: "archive", files: 0 }))).toEqual([
    "Publishing failed",
  ]);
});

test("events that need attention are marked", () => {
  expect(activityIn([event("key.banned", { name: "Web" })], naming)[0]?.bad).toBe(true);
  expect(activityIn([event("key.created", { name: "Web" })], naming)[0]?.bad).toBe(false);
});

test("every event has words in every language, or another event repeats it", () => {
  const silent = new Set([
    "pet.status_changed",
    "order.placed",
    "deploy.created",
    "deploy.ready",
    "deploy.deleted",
    // The page Activity has them.
    "webhook.created",
    "webhook.updated",
    "webhook.rotated",
    "webhook.removed",
    // Have no account: operators see them on the System page.
    "host.expiring",
    "clock.skewed",
    "backup.failed",
  ]);
  for (const { happened } of [english, german]) {
    const without = eventTypes.filter((type) => !silent.has(type) && !(type in happened));
    expect(without).toEqual([]);
  }
});

test("an enquiry names no client, as only setup links have words for one", () => {
  const visitor = { kind: "visitor" } as const;
  const lines = activityIn(
    [
      event("enquiry.created", { enquiry: { id: 1, petId: 7 } }, { actor: visitor }),
      event("member.created", {}, { actor: visitor }),
    ],
    naming,
  );
  expect(lines.map(({ by }) => by)).toEqual([undefined, visitor]);
});
