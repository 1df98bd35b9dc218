import { expect, test } from "bun:test";
import { system } from "../../../lib/model/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { aDeploy, created } from "../../../testing/projects/fixture.ts";
import { collectBlobs } from "../../../lib/publishing/jobs.ts";
import type { Ingest } from "../../../lib/publishing/ingest/ingest.ts";
import {
  archiveOf,
  ingestWords,
  openPublishing,
  START,
  type Bench,
} from "../../helpers/publishing.ts";
import { must } from "../../helpers/outcome.ts";
import { manualClock } from "../../helpers/clock.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

const accountId = "acc_one";
const author = "Ada";

async function open(more: Parameters<typeof openPublishing>[0] = {}) {
  const bench = await openPublishing(more);
  const { id } = must(await bench.projects.create({ accountId, name: "Dogs", slug: "dogs" }));
  const deploy = async (...words: readonly string[]) =>
    must(await bench.projects.deploys.create(id, { archive: archiveOf(...words), author }));
  return { ...bench, id, deploy };
}

async function blobsIn({ blobs }: Pick<Bench, "blobs">): Promise<readonly string[]> {
  const contents: string[] = [];
  for await (const { sha256 } of blobs.list()) {
    contents.push(new TextDecoder().decode(await blobs.read(sha256)));
  }
  return contents.toSorted();
}

test("an abandoned deploy fails after a minute", async () => {
  const { store, projectStore, clock, jobs, id } = await open();
  const left = aDeploy("left", { projectId: id, createdAt: START, touchedAt: START });
  expect((await projectStore.commit([created(left)], system)).ok).toBe(true);
  clock.advance(MINUTE_MS);
  await jobs.tick();
  expect(await projectStore.deploys.byId(id, "left")).toMatchObject({ state: "uploading" });
  clock.advance(10 * SECOND_MS);
  await jobs.tick();
  expect(await projectStore.deploys.byId(id, "left")).toMatchObject({
    state: "failed",
    failure: { code: "unavailable", message: expect.stringContaining("interrupted") },
  });
  await store.close();
});

test("with `alone`, a deploy abandoned by an earlier process fails at once", async () => {
  const { store, projectStore, clock, jobs, id } = await open({
    clock: manualClock(START + SECOND_MS),
    alone: true,
  });
  const left = aDeploy("left", { projectId: id, createdAt: START, touchedAt: START });
  const own = aDeploy("own", { projectId: id, createdAt: clock.now(), touchedAt: clock.now() });
  expect((await projectStore.commit([created(left), created(own)], system)).ok).toBe(true);
  await jobs.tick();
  expect(await projectStore.deploys.byId(id, "left")).toMatchObject({ state: "failed" });
  expect(await projectStore.deploys.byId(id, "own")).toMatchObject({ state: "uploading" });
  await store.close();
});

test("a deploy that was ended as interrupted does not go live", async () => {
  let finish = (): void => undefined;
  const ingest: Ingest = async (archive, options) => {
    await new Promise<void>((resolve) => (finish = resolve));
    return ingestWords(archive, options);
  };
  const { store, projects, projectStore, clock, id } = await open({ ingest });
  const making = projects.deploys.create(id, { archive: archiveOf("a"), author });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  const [deploy] = await projects.deploys.list(id);
  // Another process, which sees no activity of this one.
  const failure = { code: "unavailable", message: "It was interrupted." } as const;
  const fail = { kind: "deploy.fail", deployId: deploy?.id ?? "", failure } as const;
  await projectStore.commit([{ ...fail, at: clock.now() }], system);
  finish();
  expect(await making).toMatchObject({ ok: false, failure: { code: "unavailable" } });
  expect(await projects.deploys.list(id)).toMatchObject([{ state: "failed" }]);
  expect((await projects.byId(id))?.liveDeployId).toBeUndefined();
  await store.close();
});

test("a deleted project is purged with its data when it can no longer be restored", async () => {
  const bench = await open();
  const { store, projects, projectStore, clock, jobs, id, deploy } = bench;
  await deploy("a", "shared");
  await deploy("b");
  const other = must(await projects.create({ accountId, name: "Cats" }));
  const archive = archiveOf("shared");
  must(await projects.deploys.create(other.id, { archive, author }));
  must(await projects.delete(id));
  clock.advance(DAY_MS);
  await jobs.tick();
  expect(await projectStore.projects.byId(id)).toBeDefined();
  clock.advance(HOUR_MS + 1);
  await jobs.tick();
  expect(await projectStore.projects.byId(id)).toBeUndefined();
  expect(await projectStore.deploys.list(id, 9)).toEqual([]);
  expect(await blobsIn(bench)).toEqual(["shared"]);
  must(await projects.create({ accountId: "acc_two", name: "Heir", slug: "dogs" }));
  expect((await projects.byId(other.id))?.liveDeployId).toBeDefined();
  await store.close();
});

test("the projects of a deleted account are purged within minutes, their blobs within hours", async () => {
  const bench = await open();
  const { store, projects, projectStore, clock, jobs, id, deploy } = bench;
  await deploy("a");
  const other = must(await projects.create({ accountId: "acc_two", name: "Cats" }));
  await store.commit([{ kind: "account.delete", accountId, at: clock.now() }], system);
  clock.advance(MINUTE_MS);
  await jobs.tick();
  expect(await projectStore.projects.byId(id)).toBeUndefined();
  expect(await projectStore.deploys.list(id, 9)).toEqual([]);
  expect(await projects.byId(other.id)).toEqual(other);
  clock.advance(HOUR_MS);
  await jobs.tick();
  expect(await blobsIn(bench)).toEqual([]);
  await store.close();
});

test("the outbox keeps nothing of a deleted account", async () => {
  const { store, clock, jobs, deploy } = await open();
  await deploy("a");
  const at = clock.now();
  await store.commit([{ kind: "account.delete", accountId, at }], system);
  const last = await store.events.last();
  clock.advance(MINUTE_MS);
  await jobs.tick();
  expect(await store.events.last()).toBe(last);
  await store.close();
});

test("unused blobs are removed after an hour, others stay", async () => {
  const bench = await open();
  const { store, projects, blobs, projectStore, clock, jobs, id, deploy } = bench;
  const first = await deploy("a", "both");
  await deploy("b", "both");
  await blobs.put(new TextEncoder().encode("of an upload that broke off"));
  must(await projects.deploys.delete(id, first.id));
  clock.advance(MINUTE_MS);
  await jobs.tick();
  clock.advance(HOUR_MS - MINUTE_MS);
  expect(await collectBlobs({ blobs, projectStore }, clock.now())).toBe(0);
  clock.advance(1);
  expect(await collectBlobs({ blobs, projectStore }, clock.now())).toBe(2);
  expect(await blobsIn(bench)).toEqual(["b", "both"]);
  await store.close();
});

test("all blobs are checked, in batches", async () => {
  const bench = await open();
  const { store, blobs, projectStore, clock, deploy } = bench;
  const words = Array.from({ length: 1_100 }, (_, index) => `word-${index}`);
  await deploy(...words);
  for (let count = 0; count < 250; count++) {
    await blobs.put(new TextEncoder().encode(`waste-${count}`));
  }
  clock.advance(HOUR_MS + 1);
  expect(await collectBlobs({ blobs, projectStore }, clock.now())).toBe(250);
  expect(await blobsIn(bench)).toEqual(words.toSorted());
  await store.close();
});

test("an old blob that a deploy in progress puts again is not removed", async () => {
  for (const when of ["before it is listed", "before it is asked for", "before it is deleted"]) {
    const bench = await openPublishing();
    const { store, projects, projectStore, clock, blobs } = bench;
    const { id } = must(await projects.create({ accountId, name: "Dogs" }));
    await blobs.put(new TextEncoder().encode("old"));
    clock.advance(2 * HOUR_MS);
    const publish = async (at: string): Promise<void> => {
      if (at !== when) return;
      // Its blobs are stored, but not yet registered.
      await blobs.put(new TextEncoder().encode("old"));
    };
    const watched = {
      blobs: {
        ...blobs,
        list: async function* () {
          await publish("before it is listed");
          yield* blobs.list();
        },
        delete: async (sha256: string, putBefore?: number) => {
          await publish("before it is deleted");
          await blobs.delete(sha256, putBefore);
        },
      },
      projectStore: {
        ...projectStore,
        blobs: {
          ...projectStore.blobs,
          needed: async (names: readonly string[]) => {
            await publish("before it is asked for");
            return projectStore.blobs.needed(names);
          },
        },
      },
    };
    await collectBlobs(watched, clock.now());
    must(await projects.deploys.create(id, { archive: archiveOf("old"), author }));
    expect([when, await blobsIn(bench)]).toEqual([when, ["old"]]);
    await store.close();
  }
});

test("a clock jump does not remove blobs of a deploy in progress", async () => {
  const bench = await open();
  const { store, blobs, projectStore, clock, jobs, id } = bench;
  await blobs.put(new TextEncoder().encode("waste"));
  clock.advance(MINUTE_MS);
  const createdAt = clock.now();
  const going = aDeploy("going", { projectId: id, createdAt, touchedAt: createdAt });
  expect((await projectStore.commit([created(going)], system)).ok).toBe(true);
  await blobs.put(new TextEncoder().encode("fresh"));
  clock.advance(2 * DAY_MS);
  const at = clock.now();
  await projectStore.commit(
    [{ kind: "deploy.touch", deployId: "going", state: "processing", at }],
    system,
  );
  await jobs.tick();
  expect(await blobsIn(bench)).toEqual(["fresh"]);
  await store.close();
});

test("expired slugs are purged", async () => {
  const { store, sql, projects, clock, jobs, id } = await open();
  must(await projects.update(id, { slug: "cats" }));
  const slugs = async (): Promise<readonly unknown[]> =>
    (await sql.query({ text: "SELECT slug FROM project_slugs ORDER BY slug", values: [] })).map(
      ({ slug }) => slug,
    );
  clock.advance(30 * DAY_MS - 1);
  await jobs.tick();
  expect(await slugs()).toEqual(["cats", "dogs"]);
  clock.advance(MINUTE_MS);
  await jobs.tick();
  expect(await slugs()).toEqual(["cats"]);
  await store.close();
});

test("two processes can purge at the same time", async () => {
  const path = file();
  const one = await open({ path });
  const other = await openPublishing({ path, clock: one.clock, blobs: one.blobs });
  await one.deploy("a");
  must(await one.projects.delete(one.id));
  one.clock.advance(DAY_MS + 2 * HOUR_MS);
  await Promise.all([one.jobs.tick(), other.jobs.tick()]);
  expect(await one.projectStore.projects.byId(one.id)).toBeUndefined();
  expect(await blobsIn(one)).toEqual([]);
  await one.store.close();
  await other.store.close();
});
