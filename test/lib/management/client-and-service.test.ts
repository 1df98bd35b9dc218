import { expect, test } from "bun:test";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { utf8 } from "../../../lib/base/digest.ts";
import type { Result } from "../../../lib/base/result.ts";
import { managementClient } from "../../../lib/management/http-client.ts";
import { tarGz, type FileToPack } from "../../../lib/publishing/archive/write-tar.ts";
import type { DeployProgress } from "../../../lib/publishing/model/deploy.ts";
import { openOffice, principal, realProjects, START } from "../../helpers/management.ts";

async function open() {
  const office = await openOffice({ projects: realProjects });
  const client = managementClient({
    send: (request) => office.ask(request, principal("operator")),
  });
  const { accountId } = office;
  const project = must(await client.projects.create({ accountId, name: "Otters" }));
  return { office, client, accountId, project };
}

function must<Value>(result: Result<Value, { readonly message: string }>): Value {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function archive(path: string): ReadableStream<Uint8Array> {
  async function* files(): AsyncGenerator<FileToPack> {
    const content = utf8("<h1>Otters</h1>");
    yield { path, size: content.length, content };
  }
  return tarGz(files());
}

test("a site sent by the client goes live, with progress reports", async () => {
  const { client, project } = await open();
  const heard: DeployProgress[] = [];
  const deploy = must(
    await client.deploys.create(project.slug, {
      archive: archive("index.html"),
      message: "First",
      onProgress: (progress) => heard.push(progress),
    }),
  );
  expect(deploy).toMatchObject({ state: "live", message: "First", createdAt: START, files: 1 });
  expect(heard.at(-1)).toMatchObject({ deployId: deploy.id });
  expect(must(await client.projects.byId(project.id)).liveDeploy).toEqual(deploy);
  expect(must(await client.deploys.list(project.id))).toEqual([deploy]);
});

test("the client returns the service's refusal of an archive", async () => {
  const { client, project } = await open();
  const refused = await client.deploys.create(project.slug, { archive: archive("../up") });
  expect(refused).toMatchObject({ ok: false, failure: { code: "invalid_archive" } });
});

test("the client publishes the starter, rolls back, pins and deletes", async () => {
  const { client, project } = await open();
  const first = must(await client.deploys.create(project.id, { archive: "starter" }));
  const second = must(
    await client.deploys.create(project.id, { archive: "starter", activate: false }),
  );
  expect(second.state).toBe("ready");
  expect(must(await client.deploys.activate(project.id, second.id)).state).toBe("live");
  expect(must(await client.deploys.rollback(project.id))).toMatchObject({ id: first.id });
  expect(must(await client.deploys.pin(project.id, second.id, true)).pinned).toBe(true);
  expect((await client.deploys.delete(project.id, second.id)).ok).toBe(true);
});

test("the client lists more projects than fit on a page, and deletes and restores", async () => {
  const { client, accountId, project } = await open();
  for (let count = 1; count < 100; count++) {
    must(await client.projects.create({ accountId, name: `Site ${count}` }));
  }
  const all = must(await client.projects.list(accountId));
  expect(new Set(all.map(({ id }) => id)).size).toBe(100);
  const more = await client.projects.create({ accountId, name: "One too many" });
  expect(more).toMatchObject({ ok: false, failure: { code: "limit_reached" } });
  expect((await client.projects.delete(project.id)).ok).toBe(true);
  const deleted = must(await client.projects.byId(project.id));
  expect(deleted).toMatchObject({ deletedAt: START, restorableUntil: START + DAY_MS });
  expect(must(await client.projects.restore(project.id)).deletedAt).toBeUndefined();
});

test("the client returns the times of usage as numbers", async () => {
  const { office, client, accountId } = await open();
  const row = { keyId: "key1", environment: "staging", operation: "listPets", at: START } as const;
  const counts = { requests: 2, limited: 1, refused: 0, failed: 0 };
  await office.store.commit([{ kind: "usage.add", rows: [{ accountId, ...row, ...counts }] }]);
  const query = { accountId, by: "minute", from: START, to: START + 1, keyId: "key1" } as const;
  expect(must(await client.usage.read({ ...query, environment: "staging" }))).toEqual([
    { ...row, ...counts },
  ]);
  expect(must(await client.usage.read({ ...query, environment: "production" }))).toEqual([]);
});

test("the client renames an account", async () => {
  const { client, accountId } = await open();
  const renamed = must(await client.accounts.rename({ accountId, name: "Beavers" }));
  expect(renamed).toMatchObject({ id: accountId, name: "Beavers", createdAt: START });
});
