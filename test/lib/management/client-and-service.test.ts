import { expect, test } from "bun:test";
import { system } from "../../../lib/model/actor.ts";
import { DAY_MS, isoTime } from "../../../lib/base/clock.ts";
import { utf8 } from "../../../lib/base/digest.ts";
import type { Environment } from "../../../lib/model/account.ts";
import { managementClient } from "../../../lib/management/client.ts";
import { createDeploy } from "../../../lib/management/client-deploys.ts";
import { tarGz, type FileToPack } from "../../../lib/publishing/archive/write-tar.ts";
import type { DeployProgress } from "../../../lib/publishing/model/deploy.ts";
import { openOffice, principal, realProjects, START } from "../../helpers/management.ts";
import { must } from "../../helpers/outcome.ts";

async function open() {
  const office = await openOffice({ projects: realProjects });
  const client = managementClient({
    send: (request) => office.ask(request, principal("operator")),
  });
  const { accountId } = office;
  const project = must(
    await client.call("POST /accounts/:account/projects", {
      account: accountId,
      body: { name: "Otters" },
    }),
  );
  return { office, client, accountId, project };
}

function archive(path: string): ReadableStream<Uint8Array> {
  async function* files(): AsyncGenerator<FileToPack> {
    const content = utf8("<h1>Otters</h1>");
    yield { path, size: content.length, content };
  }
  return tarGz(files());
}

test("a site that the client uploads is live, and its progress is reported", async () => {
  const { client, project } = await open();
  const heard: DeployProgress[] = [];
  const deploy = must(
    await createDeploy(client, {
      project: project.slug,
      archive: archive("index.html"),
      message: "First",
      onProgress: (progress) => heard.push(progress),
    }),
  );
  expect(deploy).toMatchObject({ state: "live", message: "First", createdAt: START, files: 1 });
  expect(heard.at(-1)).toMatchObject({ deployId: deploy.id });
  expect(
    must(await client.call("GET /projects/:project", { project: project.id })).liveDeploy,
  ).toEqual(deploy);
  expect(must(await client.all("GET /projects/:project/deploys", { project: project.id }))).toEqual(
    [deploy],
  );
});

test("a refused archive has the service's code", async () => {
  const { client, project } = await open();
  const refused = await createDeploy(client, {
    project: project.slug,
    archive: archive("../up"),
  });
  expect(refused).toMatchObject({ ok: false, failure: { code: "invalid_archive" } });
});

test("the client publishes the starter, rolls back, pins and deletes", async () => {
  const { client, project } = await open();
  const first = must(await createDeploy(client, { project: project.id, archive: "starter" }));
  const second = must(
    await createDeploy(client, { project: project.id, archive: "starter", activate: false }),
  );
  expect(second.state).toBe("ready");
  const path = { project: project.id, deploy: second.id };
  const activated = await client.call("POST /projects/:project/deploys/:deploy/activate", path);
  expect(must(activated).state).toBe("live");
  const back = await client.call("POST /projects/:project/rollback", { project: project.id });
  expect(must(back)).toMatchObject({ id: first.id });
  const one = "/projects/:project/deploys/:deploy";
  const pinned = await client.call(`PATCH ${one}`, { ...path, body: { pinned: true } });
  expect(must(pinned).pinned).toBe(true);
  expect((await client.call(`DELETE ${one}`, path)).ok).toBe(true);
});

test("the client lists more projects than fit on a page, deletes and restores", async () => {
  const { client, accountId: account, project } = await open();
  const create = (name: string) =>
    client.call("POST /accounts/:account/projects", { account, body: { name } });
  for (let count = 1; count < 100; count++) {
    must(await create(`Site ${count}`));
  }
  const all = must(await client.all("GET /accounts/:account/projects", { account }));
  expect(new Set(all.map(({ id }) => id)).size).toBe(100);
  const more = await create("One too many");
  expect(more).toMatchObject({ ok: false, failure: { code: "limit_reached" } });
  const path = { project: project.id };
  expect((await client.call("DELETE /projects/:project", path)).ok).toBe(true);
  const deleted = must(await client.call("GET /projects/:project", { project: project.id }));
  expect(deleted).toMatchObject({ deletedAt: START, restorableUntil: START + DAY_MS });
  expect(
    must(await client.call("POST /projects/:project/restore", path)).deletedAt,
  ).toBeUndefined();
});

test("the client returns the times of usage as numbers", async () => {
  const { office, client, accountId } = await open();
  const row = { keyId: "key1", environment: "staging", operation: "listPets", at: START } as const;
  const counts = { requests: 2, limited: 1, refused: 0, failed: 0 };
  await office.store.commit(
    [{ kind: "usage.add", rows: [{ accountId, ...row, ...counts }] }],
    system,
  );
  const read = async (environment: Environment) => {
    const [from, to] = [isoTime(START), isoTime(START + 1)];
    const query = { by: "minute", from, to, key: "key1", environment } as const;
    return must(await client.all("GET /accounts/:account/usage", { account: accountId, query }));
  };
  expect(await read("staging")).toEqual([{ ...row, ...counts }]);
  expect(await read("production")).toEqual([]);
});

test("the client renames an account", async () => {
  const { client, accountId } = await open();
  const renamed = must(
    await client.call("PATCH /accounts/:account", {
      account: accountId,
      body: { name: "Beavers" },
    }),
  );
  expect(renamed).toMatchObject({ id: accountId, name: "Beavers", createdAt: START });
});
