import { beforeAll, describe, expect, test } from "bun:test";

import type { Role } from "../../../lib/accounts/principal.ts";
import { api, type Api } from "../../helpers/api.ts";
import { describing, type Document, type Located } from "../../helpers/description.ts";
import { BASE, openOffice } from "../../helpers/management.ts";
import { requestTo, senderOf } from "./samples.ts";
import { openTenants, type Things, type Tenants } from "./tenants.ts";

const members = ["owner", "staff", "viewer"] as const satisfies readonly Role[];

const fetched = await (await openOffice()).as("viewer").get<Document>("/manage/v1/openapi.json");
const { operations } = describing(fetched.body);

/** Resources that belong to no account. */
const nowhere: Things = {
  account: "acc_000000000000",
  key: "0000000000",
  request: "request-of-nobody",
  pet: "999999",
  photo: "999999",
  hash: "0".repeat(64),
  file: "1.webp",
  category: "999999",
  order: "999999",
  enquiry: "999999",
  webhook: "wh_000000000000",
  event: "999999",
  import: "imp_000000000000",
  token: "0000000000",
  project: "prj_000000000000",
  deploy: "a0000000000000000000",
  domain: "nobody.shelter.org",
  member: "mem_000000000000",
  session: "0000000000",
  passkey: "0000000000",
};

/** Path parameters that are the same in every account. */
const common = new Set(["environment", "file"]);

function parametersOf({ path }: Located): readonly string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name).filter(
    (name) => !common.has(name),
  );
}

let tenants: Tenants;
/** Callers with a role in the first account: by a token, and in a browser. */
let callers: readonly (readonly [who: string, caller: Api])[];

/** All readable resources of the other account, as an operator sees them. */
async function photograph(): Promise<readonly string[]> {
  const reads = operations.filter(
    (one) => one.method === "GET" && parametersOf(one).length > 0 && !/\{token\}/.test(one.path),
  );
  const seen: string[] = [];
  for (const operation of reads) {
    const { method, path, init } = requestTo(operation, tenants.theirs.things);
    const reply = await tenants.office.as("operator").raw(method, path, init);
    expect([operation.operationId, reply.status]).toEqual([operation.operationId, 200]);
    seen.push(`${path} ${reply.text}`);
  }
  return seen;
}

beforeAll(async () => {
  tenants = await openTenants();
  const fetch = (request: Request) => Promise.resolve(tenants.office.management.fetch(request));
  const pairs = await Promise.all(
    members.map(async (role) => {
      const { token } = await tenants.office.issue(role);
      const browser = await tenants.office.signIn(role);
      return [
        [role, api({ fetch, base: BASE, key: token })],
        [`${role} in a browser`, browser.api],
      ] as const;
    }),
  );
  callers = pairs.flat();
});

describe("another account's resources look nonexistent:", () => {
  for (const operation of operations.filter((one) => parametersOf(one).length > 0)) {
    const named = parametersOf(operation);

    test(operation.operationId, async () => {
      const { office, ours, theirs } = tenants;
      // A caller asks for more in all of these tests than it may in a minute.
      await office.clock.advance(10_000);
      const before = await photograph();
      // The other account's path, and our path with each of its parameters replaced.
      const mixtures = [named, ...named.map((name) => [name])];
      const streams = JSON.stringify(operation.responses).includes("text/event-stream");
      const accepts = streams ? [undefined, "text/event-stream"] : [undefined];
      for (const [who, caller] of callers) {
        for (const mixture of mixtures) {
          for (const accept of accepts) {
            const ask = async (others: Things) => {
              const foreign = Object.fromEntries(mixture.map((name) => [name, others[name] ?? ""]));
              const { method, path, init } = requestTo(
                operation,
                { ...ours.things, ...foreign },
                foreign,
              );
              const sent = new Headers(init.headers);
              if (accept !== undefined) sent.set("accept", accept);
              return caller.raw(method, path, { ...init, headers: sent });
            };
            const [found, missing] = [await ask(theirs.things), await ask(nowhere)];
            const where = `${who} ${mixture.join()}`;
            // For a visible account, an insufficient role is reported.
            expect([where, [404, 403].includes(found.status)]).toEqual([where, true]);
            if (mixture.includes("account") || mixture.includes("project")) {
              expect([where, found.status]).toEqual([where, 404]);
            }
            expect([where, found.status, found.text]).toEqual([
              where,
              missing.status,
              missing.text,
            ]);
          }
        }
      }
      expect(await photograph()).toEqual(before);
    });
  }
});

describe("nothing of another account is ever shown:", () => {
  for (const operation of operations) {
    test(operation.operationId, async () => {
      const { office, ours, theirs } = await openTenants();
      for (const role of members) {
        const sender = await senderOf(office, operation.operationId, role);
        const { method, path, init } = requestTo(operation, { ...ours.things, ...sender.things });
        const reply = await sender.api.raw(method, path, init);
        for (const mark of theirs.marks) expect(reply.text).not.toContain(mark);
        const headers = JSON.stringify([...reply.headers]);
        for (const mark of theirs.marks) expect(headers).not.toContain(mark);
      }
    });
  }
});

test("a rollback to another account's deploy is refused", async () => {
  const { office, ours, theirs } = tenants;
  const path = `/manage/v1/projects/${ours.things["project"]}/rollback`;
  const ask = (to: string | undefined) => office.as("owner").post(path, { to });
  const [found, missing] = [await ask(theirs.things["deploy"]), await ask(nowhere["deploy"])];
  expect([found.status, found.text]).toEqual([404, missing.text]);
});

test("only operators see events about operators' tokens", async () => {
  const { office, ours } = tenants;
  const ownEvents = await office.as("owner").get(`/manage/v1/accounts/${ours.accountId}/events`);
  expect(ownEvents.text).toContain(ours.things["token"] ?? "");
  expect(ownEvents.text).not.toContain(ours.things["operatorToken"] ?? "");
  const all = await office.as("operator").get("/manage/v1/events");
  expect(all.text).toContain(ours.things["operatorToken"] ?? "");
});

test("another account's project is not found by its slug, current or old", async () => {
  const { theirs } = tenants;
  const operator = tenants.office.as("operator");
  const missing = await callers[0]?.[1].get("/manage/v1/projects/nobodys-site");
  const ask = async (slug: string) => callers[0]?.[1].get(`/manage/v1/projects/${slug}`);
  expect((await operator.get("/manage/v1/projects/foxes-site")).status).toBe(200);
  expect((await ask("foxes-site"))?.text).toBe(missing?.text ?? "");
  const project = `/manage/v1/projects/${theirs.things["project"]}`;
  await operator.patch(project, { slug: "foxes-home" });
  expect((await operator.get("/manage/v1/projects/foxes-site")).status).toBe(200);
  for (const slug of ["foxes-site", "foxes-home"]) {
    expect((await ask(slug))?.text).toBe(missing?.text ?? "");
  }
});

test("a page after another account's project looks like one after an unknown project", async () => {
  const { office, ours, theirs } = await openTenants();
  const path = `/manage/v1/accounts/${ours.accountId}/projects`;
  for (const list of ["/manage/v1/projects", path]) {
    const ask = (after: string | undefined) => office.as("viewer").get(`${list}?after=${after}`);
    const [found, missing] = [await ask(theirs.things["project"]), await ask(nowhere["project"])];
    expect([list, found.status, found.text]).toEqual([list, missing.status, missing.text]);
  }
});

test("the time to list members does not reveal the number of accounts", async () => {
  let listed = 0;
  const office = await openOffice({
    store: (store) => ({
      ...store,
      accounts: {
        ...store.accounts,
        list: () => {
          listed++;
          return store.accounts.list();
        },
      },
    }),
  });
  const { body } = await office.as("viewer").get("/manage/v1/accounts");
  expect(body).toMatchObject([{ id: office.accountId }]);
  expect(listed).toBe(0);
});
