import { system } from "../../../../lib/model/actor.ts";
import { StoreUnavailable } from "../../../../lib/sql/sql.ts";
import { expect, test } from "bun:test";
import { createClosing } from "../../../../lib/base/closing.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../lib/base/clock.ts";
import { problem } from "../../../../lib/base/problem.ts";
import { done, refused } from "../../../../lib/base/result.ts";
import type { Ingest } from "../../../../lib/publishing/ingest/ingest.ts";
import type { Deploy, DeployProgress } from "../../../../lib/publishing/model/deploy.ts";
import { rejection } from "../../../helpers/rejection.ts";
import { archiveOf, ingestWords, openPublishing, type Bench } from "../../../helpers/publishing.ts";
import { codeOf, must } from "../../../helpers/outcome.ts";

const author = "Ada";

async function open(more: Parameters<typeof openPublishing>[0] = {}) {
  const bench = await openPublishing(more);
  const { id } = must(await bench.projects.create({ accountId: "acc_one", name: "Dogs" }));
  const deploy = (...words: readonly string[]) =>
    bench.projects.deploys.create(id, { archive: archiveOf(...words), author });
  return { ...bench, id, deploys: bench.projects.deploys, deploy };
}

/** Runs everything that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns an archive that ends only when told to. */
function endless(): { readonly archive: ReadableStream<Uint8Array>; readonly end: () => void } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return { archive: readable, end: () => void writer.close() };
}

const states = async ({ projectStore }: Bench, project: string): Promise<readonly string[]> =>
  (await projectStore.deploys.list(project, 99)).map(({ state }) => state);

test("an archive becomes a live deploy with its files, message and author", async () => {
  const { store, deploys, id, clock, projects } = await open();
  const message = " New photos ";
  const deploy = must(await deploys.create(id, { archive: archiveOf("a", "b"), author, message }));
  const now = clock.now();
  expect(deploy).toMatchObject({ state: "live", source: "archive", author, files: 2, bytes: 2 });
  expect(deploy).toMatchObject({ message: "New photos", readyAt: now, activatedAt: now });
  expect(deploy.id).toMatch(/^[a-z][a-z0-9]{19}$/);
  expect((await deploys.manifest(id, deploy.id))?.files.map(({ path }) => path)).toEqual([
    "/a",
    "/b",
  ]);
  expect((await projects.byId(id))?.liveDeployId).toBe(deploy.id);
  await store.close();
});

test("a deploy whose account is deleted in the meantime does not go live and writes no event", async () => {
  const { store, deploys, id, clock, projectStore } = await open();
  const { archive, end } = endless();
  const made = deploys.create(id, { archive, author });
  await settle();
  await store.commit([{ kind: "account.delete", accountId: "acc_one", at: clock.now() }], system);
  const last = await store.events.last();
  end();
  expect(codeOf(await made)).toBe("not_found");
  expect((await projectStore.projects.byId(id))?.liveDeployId).toBeUndefined();
  expect(await store.events.after(last, 9)).toEqual([]);
  await store.close();
});

test("a deploy with `activate: false` stays ready until it is activated", async () => {
  const { store, deploys, id, projects } = await open();
  const input = { archive: archiveOf("a"), author, activate: false };
  const deploy = must(await deploys.create(id, input));
  expect(deploy.state).toBe("ready");
  expect((await projects.byId(id))?.liveDeployId).toBeUndefined();
  expect(must(await deploys.activate(id, deploy.id)).state).toBe("live");
  await store.close();
});

const pathsOf = async ({ projects, id }: { projects: Bench["projects"]; id: string }) => {
  const live = (await projects.byId(id))?.liveDeployId ?? "";
  return ((await projects.deploys.manifest(id, live))?.files ?? []).map(({ path }) => path);
};

test("a deploy is added to the live one, and to nothing if none is live", async () => {
  const bench = await open();
  const { store, deploys, id } = bench;
  must(await deploys.create(id, { archive: archiveOf("a"), author, add: true }));
  expect(await pathsOf(bench)).toEqual(["/a"]);
  const added = must(await deploys.create(id, { archive: archiveOf("b"), author, add: true }));
  expect(added).toMatchObject({ state: "live", files: 2 });
  expect(await pathsOf(bench)).toEqual(["/a", "/b"]);
  must(await deploys.create(id, { archive: "starter", author }));
  must(await deploys.create(id, { archive: archiveOf("c"), author, add: true }));
  // The file of the starter was not the owner's.
  expect(await pathsOf(bench)).toEqual(["/c"]);
  await store.close();
});

test("a ready deploy is added to the live one as another deploy", async () => {
  const bench = await open();
  const { store, deploys, id, deploy, jobs } = bench;
  must(await deploy("a"));
  const input = { archive: archiveOf("b"), author, activate: false };
  const ready = must(await deploys.create(id, input));
  const added = must(
    await deploys.create(id, { archive: { deploy: ready.id }, author, add: true }),
  );
  expect(added).toMatchObject({ state: "live", source: "archive", files: 2 });
  expect(await pathsOf(bench)).toEqual(["/a", "/b"]);
  must(await deploys.delete(id, ready.id));
  await jobs.stop();
  const unknown = { archive: { deploy: "a0000000000000000000" }, author, add: true };
  expect(codeOf(await deploys.create(id, unknown))).toBe("not_found");
  expect(await pathsOf(bench)).toEqual(["/a", "/b"]);
  await store.close();
});

test("deploys that are added at the same time lose nothing", async () => {
  const bench = await open();
  const { store, deploys, id, deploy } = bench;
  must(await deploy("a"));
  const add = (word: string) => deploys.create(id, { archive: archiveOf(word), author, add: true });
  const made = await Promise.all(["b", "c", "d"].map(add));
  for (const one of made) must(one);
  expect(await pathsOf(bench)).toEqual(["/a", "/b", "/c", "/d"]);
  await store.close();
});

test("files that do not fit beside the live ones fail the deploy and leave the live one", async () => {
  const ingest: Ingest = async (archive, options) => {
    const made = must(await ingestWords(archive, options));
    const [one] = made.files;
    const files = Array.from({ length: 3_000 }, (_, index) => ({
      ...(one ?? expect.unreachable()),
      path: `${one?.path}/${index}`,
    }));
    return done({ ...made, files });
  };
  const bench = await open({ ingest });
  const { store, deploys, id, deploy } = bench;
  must(await deploy("a"));
  const added = await deploys.create(id, { archive: archiveOf("b"), author, add: true });
  expect(codeOf(added)).toBe("payload_too_large");
  expect(await states(bench, id)).toEqual(["failed", "live"]);
  await store.close();
});

test("the starter is a site file with the project's name", async () => {
  const { store, deploys, id, blobs } = await open();
  const deploy = must(await deploys.create(id, { archive: "starter", author }));
  expect(deploy).toMatchObject({ state: "live", source: "starter", files: 1 });
  const manifest = await deploys.manifest(id, deploy.id);
  expect(manifest?.site).toEqual({ title: "Dogs" });
  const [file] = manifest?.files ?? [];
  expect(file?.path).toBe("/petstore.site.json");
  const content = await blobs.read(file?.sha256 ?? "");
  expect(JSON.parse(new TextDecoder().decode(content))).toEqual({ title: "Dogs" });
  await store.close();
});

test("a watcher receives every step from the current one to the last", async () => {
  const { store, deploys, id } = await open();
  const heard: string[] = [];
  const listener = ({ state, files }: DeployProgress): void => void heard.push(`${state} ${files}`);
  let stop = (): void => undefined;
  const onBegin = (deploy: Deploy): void => {
    stop = deploys.watch(deploy.id, listener);
  };
  const made = must(await deploys.create(id, { archive: archiveOf("a", "b"), author, onBegin }));
  const way = ["uploading 0", "processing 0", "processing 1", "processing 2", "live 2"];
  expect(heard).toEqual(way);
  stop();
  deploys.watch(made.id, listener);
  expect(heard).toEqual(way);
  await store.close();
});

test("a refused archive fails the deploy with the same problem", async () => {
  const failure = problem("invalid_archive", "../x leads out of the site.");
  const { store, deploys, id, deploy, projects } = await open({
    ingest: async () => refused(failure),
  });
  expect(await deploy("x")).toEqual({ ok: false, failure });
  expect(await deploys.list(id)).toMatchObject([{ state: "failed", failure, files: 0 }]);
  expect((await projects.byId(id))?.liveDeployId).toBeUndefined();
  await store.close();
});

test("a broken upload fails the deploy with a reason", async () => {
  const { store, deploys, id } = await open();
  const archive = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.error(new Error("connection reset"));
    },
  });
  expect(codeOf(await deploys.create(id, { archive, author }))).toBe("unavailable");
  const [deploy] = await deploys.list(id);
  expect(deploy?.failure?.message).toBe("The upload was interrupted.");
  await store.close();
});

test("unavailable blobs ask for a retry, and other errors are not revealed", async () => {
  const broken = new Error("secret of the disk");
  const faults = [new StoreUnavailable("The disk is full."), broken];
  const ingest: Ingest = () => Promise.reject(faults.shift() ?? broken);
  const { store, deploys, id, deploy } = await open({ ingest });
  expect(codeOf(await deploy("a"))).toBe("unavailable");
  expect(await rejection(deploy("b"))).toBe(broken);
  const failures = (await deploys.list(id)).map(({ failure }) => failure);
  expect(failures.map((failure) => failure?.code)).toEqual(["internal_error", "unavailable"]);
  expect(JSON.stringify(failures)).not.toContain("secret");
  await store.close();
});

test("a deploy in progress is touched regularly, and cut off after half an hour", async () => {
  const bench = await open();
  const { store, deploys, id, clock, jobs } = bench;
  const making = deploys.create(id, { archive: endless().archive, author });
  await settle();
  for (let quarter = 0; quarter < 4 * 29; quarter++) {
    clock.advance(15 * SECOND_MS);
    await settle();
    await jobs.tick();
  }
  expect(await states(bench, id)).toEqual(["uploading"]);
  clock.advance(MINUTE_MS);
  expect(codeOf(await making)).toBe("request_timeout");
  expect(await states(bench, id)).toEqual(["failed"]);
  await store.close();
});

test("stopping the service interrupts deploys in progress", async () => {
  const stopping = createClosing();
  const bench = await open({ stopping });
  const making = bench.deploys.create(bench.id, { archive: endless().archive, author });
  await settle();
  stopping.close();
  const outcome = await making;
  expect(outcome).toMatchObject({ ok: false, failure: { code: "unavailable" } });
  expect(await bench.deploys.list(bench.id)).toMatchObject([
    { state: "failed", failure: { message: expect.stringContaining("interrupted") } },
  ]);
  await bench.store.close();
});

test("three deploys per project and 20 per process can be in progress", async () => {
  const { store, projects, id, deploys } = await open();
  const begun: Promise<unknown>[] = [];
  const ends: (() => void)[] = [];
  const begin = (project: string): void => {
    const { archive, end } = endless();
    ends.push(end);
    begun.push(deploys.create(project, { archive, author }));
  };
  for (let count = 0; count < 3; count++) begin(id);
  await settle();
  let cancelled = false;
  const archive = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
  expect(codeOf(await deploys.create(id, { archive, author }))).toBe("limit_reached");
  expect([cancelled, (await deploys.list(id)).length]).toEqual([true, 3]);
  for (let count = 0; count < 17; count++) {
    begin(must(await projects.create({ accountId: "acc_one", name: "More" })).id);
  }
  await settle();
  const other = must(await projects.create({ accountId: "acc_two", name: "Other" }));
  const late = { archive: "starter", author } as const;
  expect(codeOf(await deploys.create(other.id, late))).toBe("limit_reached");
  for (const end of ends) end();
  await Promise.all(begun);
  must(await deploys.create(other.id, late));
  await store.close();
});

test("a deploy of a project deleted in the meantime does not go live", async () => {
  const { store, projects, id, deploys } = await open();
  const { archive, end } = endless();
  const making = deploys.create(id, { archive, author });
  await settle();
  must(await projects.delete(id));
  end();
  expect(codeOf(await making)).toBe("not_found");
  expect((await deploys.list(id)).map(({ state }) => state)).toEqual(["failed"]);
  await store.close();
});

test("every finished or failed deploy expires the surplus", async () => {
  let fails = false;
  const ingest: Ingest = async (archive, options) =>
    fails ? refused(problem("invalid_archive", "No.")) : ingestWords(archive, options);
  const { store, deploys, id, deploy } = await open({ ingest });
  const first = must(await deploy("first"));
  must(await deploys.pin(id, first.id, true));
  const live = must(await deploy("live"));
  fails = true;
  for (let count = 0; count < 30; count++) await deploy("bad");
  const left = await deploys.list(id);
  expect(left.length).toBe(22);
  expect(left.slice(-2).map((one) => one.id)).toEqual([live.id, first.id]);
  await store.close();
});

test("repeated rollbacks go back one deploy each", async () => {
  const { store, deploys, id, deploy } = await open();
  const [a, b, c] = [must(await deploy("a")), must(await deploy("b")), must(await deploy("c"))];
  expect(must(await deploys.rollback(id)).id).toBe(b.id);
  expect(must(await deploys.rollback(id)).id).toBe(a.id);
  expect(codeOf(await deploys.rollback(id))).toBe("not_found");
  expect(must(await deploys.rollback(id, c.id)).id).toBe(c.id);
  expect(codeOf(await deploys.rollback(id, "unknown"))).toBe("not_found");
  expect(codeOf(await deploys.rollback("prj_none"))).toBe("not_found");
  await store.close();
});

test("failed and unfinished deploys cannot be activated", async () => {
  const bench = await open();
  const { store, deploys, id } = bench;
  const { archive, end } = endless();
  let begun = "";
  const onBegin = (deploy: Deploy): void => void (begun = deploy.id);
  const making = deploys.create(id, { archive, author, onBegin });
  await settle();
  expect(codeOf(await deploys.activate(id, begun))).toBe("deploy_not_ready");
  expect(codeOf(await deploys.delete(id, begun))).toBe("deploy_not_ready");
  end();
  must(await making);
  await store.close();
});

test("every deploy except the live one can be deleted", async () => {
  const { store, deploys, id, deploy } = await open();
  const [a, b] = [must(await deploy("a")), must(await deploy("b"))];
  expect(codeOf(await deploys.delete(id, b.id))).toBe("deploy_is_live");
  must(await deploys.delete(id, a.id));
  expect(codeOf(await deploys.delete(id, a.id))).toBe("not_found");
  expect((await deploys.list(id)).map((left) => left.id)).toEqual([b.id]);
  await store.close();
});

test("20 deploys of a project can be pinned", async () => {
  const { store, deploys, id } = await open();
  for (let count = 0; count <= 20; count++) {
    const { id: made } = must(await deploys.create(id, { archive: "starter", author }));
    const pinned = await deploys.pin(id, made, true);
    expect(pinned.ok ? "pinned" : codeOf(pinned)).toBe(count < 20 ? "pinned" : "limit_reached");
  }
  await store.close();
});

test("a message of more than one line or 200 characters is refused immediately", async () => {
  const { store, deploys, id } = await open();
  for (const message of ["x".repeat(201), "a\nb"]) {
    const refusal = await deploys.create(id, { archive: "starter", author, message });
    expect(codeOf(refusal)).toBe("invalid_value");
  }
  expect(await deploys.list(id)).toEqual([]);
  await store.close();
});
