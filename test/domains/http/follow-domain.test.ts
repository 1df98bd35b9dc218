import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { issued } from "../../helpers/domains/actions-fixture.ts";
import { readEvents, type EventReader } from "../../helpers/event-reader.ts";
import {
  BASE,
  openOffice,
  principal,
  realProjects,
  type Office,
} from "../../helpers/management.ts";

const PETS = "pets.shelter.org";
const PATH = `/manage/v1/projects/cats-site/domains/${PETS}`;

interface Shown {
  readonly id: string;
  readonly status: string;
}

async function open(): Promise<{ readonly office: Office; readonly id: string }> {
  const office = await openOffice({ projects: realProjects });
  const owner = office.as("owner");
  const projects = `/manage/v1/accounts/${office.accountId}/projects`;
  await owner.post(projects, { name: "Cats", slug: "cats-site" });
  const domains = "/manage/v1/projects/cats-site/domains";
  const { body } = await owner.post<Shown>(domains, { domain: PETS });
  return { office, id: body.id };
}

async function follow(office: Office, token?: string): Promise<EventReader> {
  const request = new Request(BASE + PATH, {
    headers: {
      accept: "text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  const who = principal("viewer", office.accountId);
  const response = await office.ask(request, token === undefined ? who : undefined);
  expect(response.status).toBe(200);
  const reader = readEvents(response, office.clock);
  expect(await reader.next()).toMatchObject({ comment: "open" });
  return reader;
}

/** Lets time pass until the stream sends something. */
async function eventWithin(
  office: Office,
  reader: EventReader,
  withinMs: number,
): Promise<boolean> {
  for (let ms = 0; ms < withinMs; ms += 500) {
    if (!(await reader.silent())) return true;
    office.clock.advance(500);
  }
  return !(await reader.silent());
}

test("a stream sends the domain at once, and on every change", async () => {
  const { office, id } = await open();
  const reader = await follow(office);
  expect(await reader.next()).toMatchObject({ event: "domain", data: { id, status: "checking" } });
  expect(await eventWithin(office, reader, 3_000)).toBe(false);
  await office.as("staff").post(`${PATH}/verify`);
  expect(await eventWithin(office, reader, 1_000)).toBe(true);
  expect(await reader.next()).toMatchObject({ event: "domain", data: { status: "verified" } });
  await office.domainActions.happen(id, issued(office.clock.now()));
  expect(await eventWithin(office, reader, 1_000)).toBe(true);
  expect(await reader.next()).toMatchObject({ data: { certificate: { state: "active" } } });
  await office.as("owner").delete(PATH);
  expect(await eventWithin(office, reader, 1_000)).toBe(true);
  expect(await reader.next()).toMatchObject({ data: { status: "removed" } });
  await reader.leave();
});

test("without changes a stream sends a comment every fifteen seconds", async () => {
  const { office } = await open();
  const reader = await follow(office);
  await reader.next();
  expect(await eventWithin(office, reader, 14_000)).toBe(false);
  expect(await eventWithin(office, reader, 2_000)).toBe(true);
  expect(await reader.next()).toEqual({ comment: "" });
  await reader.leave();
});

test("a stream ends when the domain is deleted or the token expires", async () => {
  const { office, id } = await open();
  const { id: tokenId, token } = await office.issue("viewer");
  const [reader, other] = [await follow(office), await follow(office, token)];
  await reader.next();
  await other.next();
  await office.as("operator").delete(`/manage/v1/accounts/${office.accountId}/tokens/${tokenId}`);
  let ended: { readonly said: unknown } | undefined;
  void other.next().then((said) => {
    ended = { said };
  });
  // Hashing the token takes real time, so the clock advances until the check.
  for (; ended === undefined; await Bun.sleep(1)) office.clock.advance(500);
  expect(ended.said).toBeUndefined();
  await office.as("owner").delete(PATH);
  const domain = await office.domainActions.store.domains.byId(id);
  if (domain === undefined) throw new Error("It is gone.");
  await eventWithin(office, reader, 1_000);
  while (!(await reader.silent())) await reader.next();
  await office.domainActions.store.commit([{ kind: "domain.forget", domain }], system);
  await eventWithin(office, reader, 1_000);
  expect(await reader.next()).toBeUndefined();
});

test("a caller has at most twenty streams", async () => {
  const { office } = await open();
  const readers: EventReader[] = [];
  for (let count = 0; count < 20; count++) readers.push(await follow(office));
  const request = new Request(BASE + PATH, { headers: { accept: "text/event-stream" } });
  const refused = await office.ask(request, principal("viewer", office.accountId));
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: "limit_reached" }]);
  await readers[0]?.leave();
  readers[0] = await follow(office);
  await Promise.all(readers.map((reader) => reader.leave()));
});
