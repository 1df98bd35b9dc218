import { expect, test } from "bun:test";

import { createPreviews } from "../../../lib/publishing/previews.ts";
import { createVisits } from "../../../lib/publishing/serving/visit.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { archiveOf, openPublishing } from "../../helpers/publishing.ts";
import { must } from "../../helpers/outcome.ts";
import { closed } from "./serving/shop-window.ts";

async function open() {
  const bench = await openPublishing();
  const { sites, store, projectStore, projects, blobs } = bench;
  const project = must(await projects.create({ accountId: "acc_one", name: "Cats", slug: "cats" }));
  const previews = createPreviews({ sites, store, deploys: projectStore.deploys });
  const visits = createVisits({ sites, previews, blobs, storefront: closed, log: silentLog });
  const deploy = async (word: string, activate = true) =>
    must(
      await projects.deploys.create(project.id, {
        archive: archiveOf(word),
        author: "Ada",
        activate,
      }),
    );
  /** Requests a path of the deploy's preview or, without a deploy, of the site. */
  const visit = async (path: string, deployId?: string, slug = "cats"): Promise<Response> =>
    visits(new Request(`https://x.example.org${path}`), {
      slug,
      origin: "https://x.example.org",
      addressOf: (label) => `https://${label}.example.org`,
      ...(deployId === undefined ? {} : { deployId }),
    });
  return { ...bench, project, deploy, visit };
}

test("a deploy that was never live is visible only at its preview", async () => {
  const { deploy, visit } = await open();
  await deploy("first");
  const { id } = await deploy("second", false);
  expect(await (await visit("/second", id)).text()).toBe("second");
  expect((await visit("/first", id)).status).toBe(404);
  expect((await visit("/second")).status).toBe(404);
});

test("a preview exists before the first activation and after the next one", async () => {
  const { deploy, visit } = await open();
  const { id } = await deploy("first", false);
  expect((await visit("/first", id)).status).toBe(200);
  await deploy("second");
  expect((await visit("/first", id)).status).toBe(200);
});

test("a preview is not indexed and sends no referrer", async () => {
  const { deploy, visit } = await open();
  const { id } = await deploy("first");
  for (const path of ["/first", "/nothing"]) {
    const { headers } = await visit(path, id);
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
  expect((await visit("/first")).headers.has("x-robots-tag")).toBe(false);
});

test("a deleted deploy has no preview, even if it was cached", async () => {
  const { deploy, visit, projects, project } = await open();
  const { id } = await deploy("first");
  await deploy("second");
  expect((await visit("/first", id)).status).toBe(200);
  must(await projects.deploys.delete(project.id, id));
  expect((await visit("/first", id)).status).toBe(404);
});

test("a preview of a foreign or unknown deploy is like an unknown host", async () => {
  const { deploy, visit, projects } = await open();
  must(await projects.create({ accountId: "acc_two", name: "Dogs", slug: "dogs" }));
  const { id } = await deploy("first");
  const nobody = await visit("/first", undefined, "nobody");
  for (const [deployId, slug] of [
    [id, "dogs"],
    [id, "nobody"],
    ["a".repeat(20), "cats"],
  ] as const) {
    const answer = await visit("/first", deployId, slug);
    expect([answer.status, await answer.text()]).toEqual([404, await nobody.clone().text()]);
  }
});

test("a failed deploy has no preview", async () => {
  const { visit, projects, project } = await openFailing();
  const [failed] = await projects.deploys.list(project.id);
  expect(failed?.state).toBe("failed");
  expect((await visit("/", failed?.id)).status).toBe(404);
});

test("deleting a project removes its previews until it is restored", async () => {
  const { deploy, visit, projects, project } = await open();
  const { id } = await deploy("first");
  must(await projects.delete(project.id));
  expect((await visit("/first", id)).status).toBe(404);
  must(await projects.restore(project.id));
  expect((await visit("/first", id)).status).toBe(200);
});

test("a preview under an old slug redirects to the current one", async () => {
  const { deploy, visit, projects, project } = await open();
  const { id } = await deploy("first");
  must(await projects.update(project.id, { slug: "kittens" }));
  const { status, headers } = await visit("/first?x=1", id);
  expect([status, headers.get("location")]).toEqual([
    308,
    `https://${id}--kittens.example.org/first?x=1`,
  ]);
});

async function openFailing() {
  const opened = await open();
  const { projects, project } = opened;
  const breaking = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error("broken off")),
  });
  await projects.deploys
    .create(project.id, { archive: breaking, author: "Ada" })
    .catch(() => undefined);
  return opened;
}
