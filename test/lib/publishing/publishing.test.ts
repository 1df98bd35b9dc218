import { expect, test } from "bun:test";
import { system } from "../../../lib/model/actor.ts";
import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import {
  createPublishing,
  memoryBlobs,
  sqlProjectStore,
  tarGz,
  type FileToPack,
  type VisitContext,
} from "../../../lib/publishing/index.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { anAccount } from "../../../testing/shelter.ts";
import { manualClock } from "../../../testing/clock.ts";
import { START } from "../../helpers/publishing.ts";
import { codeOf, must } from "../../helpers/outcome.ts";

const author = "Ada";

async function open() {
  const clock = manualClock(START);
  const sql = await bunSqliteSql({ path: ":memory:", clock });
  const store = await sqlStore({ sql, clock });
  await store.commit([{ kind: "account.create", account: anAccount("acc_one", START) }], system);
  const projectStore = await sqlProjectStore({ sql, clock });
  const publishing = createPublishing({
    store,
    projectStore,
    blobs: memoryBlobs({ clock }),
    reserved: ["edge"],
    clock,
  });
  const { projects } = publishing;
  const project = must(
    await projects.create({ accountId: "acc_one", name: "Good dogs", slug: "good-dogs" }),
  );
  const visit = async (
    path: string,
    slug: string = project.slug,
    more: Pick<VisitContext, "isReady"> = {},
    headers = new Headers(),
  ): Promise<Response> =>
    publishing.visit(new Request(`https://${slug}.example.org${path}`, { headers }), {
      slug,
      origin: `https://${slug}.example.org`,
      addressOf: (other) => `https://${other}.example.org`,
      ...more,
    });
  return { publishing, projects, project, visit, clock, store };
}

async function* site(files: Readonly<Record<string, string>>): AsyncGenerator<FileToPack> {
  for (const [path, text] of Object.entries(files)) {
    const content = new TextEncoder().encode(text);
    yield { path, size: content.length, content };
  }
}

test("a visitor sees the starter, then the uploaded site, then the starter again", async () => {
  const { projects, project, visit, store, publishing } = await open();
  expect((await visit("/")).status).toBe(404);
  must(await projects.deploys.create(project.id, { archive: "starter", author }));
  const starter = await visit("/");
  expect([starter.status, await starter.text()]).toEqual([
    200,
    expect.stringContaining("Good dogs"),
  ]);
  const archive = tarGz(site({ "index.html": "<h1>Ours</h1>", "about.html": "About" }));
  must(await projects.deploys.create(project.id, { archive, author }));
  expect(await (await visit("/")).text()).toBe("<h1>Ours</h1>");
  expect(await (await visit("/about.html")).text()).toBe("About");
  must(await projects.deploys.rollback(project.id));
  expect(await (await visit("/")).text()).toContain("Good dogs");
  await publishing.close();
  await store.close();
});

test("a change of the site's settings is on the next page, with another ETag", async () => {
  const { projects, project, visit, store, publishing } = await open();
  must(await projects.deploys.create(project.id, { archive: "starter", author }));
  const before = await visit("/");
  const site = {
    language: "de",
    title: "Tierheim",
    heading: "Wer sucht wen?",
    intro: "Alle suchen.",
    email: "hallo@tierheim.test",
    hours: "Sa 10–16 Uhr",
    donate: "https://tierheim.test/spenden",
    visit: "tel:+4930555",
    accent: "#1f6feb",
  };
  must(await projects.update(project.id, { site }));
  const after = await visit("/");
  const page = await after.text();
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  expect(page).toContain('<html lang="de"');
  for (const text of ["Tierheim", "Wer sucht wen?", "Alle suchen.", "Sa 10–16 Uhr", "Spenden"])
    expect(page).toContain(text);
  for (const address of ["mailto:hallo@tierheim.test", site.donate, site.visit])
    expect(page).toContain(`href="${address}"`);
  // Darker than the chosen one, so that it is readable.
  expect(page).toContain("--accent:#1d68dc");
  const again = new Headers({ "if-none-match": before.headers.get("etag") ?? "" });
  expect((await visit("/", project.slug, {}, again)).status).toBe(200);
  await publishing.close();
  await store.close();
});

test("a renamed project redirects visitors once its new host is ready, and a deleted one is not found", async () => {
  const { projects, project, visit, store, publishing } = await open();
  must(await projects.deploys.create(project.id, { archive: "starter", author }));
  must(await projects.update(project.id, { slug: "best-dogs" }));
  const moved = await visit("/animals/7?from=mail");
  expect(moved.status).toBe(308);
  expect(moved.headers.get("location")).toBe("https://best-dogs.example.org/animals/7?from=mail");
  const early = await visit("/", project.slug, { isReady: (slug) => slug !== "best-dogs" });
  expect([early.status, await early.text()]).toEqual([200, expect.stringContaining("Good dogs")]);
  must(await projects.delete(project.id));
  expect((await visit("/")).status).toBe(404);
  expect((await visit("/", "best-dogs")).status).toBe(404);
  await publishing.close();
  await store.close();
});

test("an invalid archive leaves the live deploy unchanged", async () => {
  const { projects, project, visit, store, publishing } = await open();
  must(await projects.deploys.create(project.id, { archive: "starter", author }));
  const archive = new Blob(["no archive at all"]).stream();
  const refusal = await projects.deploys.create(project.id, { archive, author });
  expect(codeOf(refusal)).toBe("invalid_archive");
  expect((await visit("/")).status).toBe(200);
  expect(await projects.deploys.list(project.id)).toMatchObject([
    { state: "failed", failure: { code: "invalid_archive" } },
    { state: "live" },
  ]);
  await publishing.close();
  await store.close();
});

test("the host's own names are invalid slugs", async () => {
  const { projects, store, publishing } = await open();
  const input = { accountId: "acc_one", name: "Edge", slug: "edge" };
  expect(codeOf(await projects.create(input))).toBe("invalid_value");
  await publishing.close();
  await store.close();
});

test("close interrupts deploys in progress and waits until that is stored", async () => {
  const { projects, project, store, publishing } = await open();
  const { readable } = new TransformStream<Uint8Array, Uint8Array>();
  const begun = Promise.withResolvers<undefined>();
  const making = projects.deploys.create(project.id, {
    archive: readable,
    author,
    onBegin: () => begun.resolve(undefined),
  });
  await begun.promise;
  await publishing.close();
  expect(await projects.deploys.list(project.id)).toMatchObject([{ state: "failed" }]);
  expect(codeOf(await making)).toBe("unavailable");
  await store.close();
});
