import { beforeEach, expect, test } from "bun:test";

import { tarGz, type FileToPack } from "../../../lib/publishing/archive/write-tar.ts";
import { utf8 } from "../../../lib/base/digest.ts";
import type { PhotoShown } from "../../../lib/catalogue/profile-schema.ts";
import type { AdoptedFiles } from "../../../lib/management/index.ts";
import type { Api } from "../../helpers/api.ts";
import { openOffice, realProjects, type Office } from "../../helpers/management.ts";
import { jpegOf, pngOf, webpOf } from "../../helpers/pictures.ts";

const SIZE = { width: 40, height: 30 };
const [jpeg, png, webp] = await Promise.all([jpegOf(SIZE), pngOf(SIZE), webpOf(SIZE)]);

let office: Office;
let staff: Api;
let pets = "";
let project = "";

async function publish(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const entries = Object.entries(files);
  async function* pack(): AsyncGenerator<FileToPack> {
    for (const [path, content] of entries) {
      const bytes = typeof content === "string" ? utf8(content) : content;
      yield { path, size: bytes.length, content: bytes };
    }
  }
  const body = new Uint8Array(await new Response(tarGz(pack())).arrayBuffer());
  const headers = { "content-type": "application/gzip" };
  const made = await staff.raw<{ readonly id: string }>("POST", `${project}/deploys`, {
    body,
    headers,
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.id;
}

beforeEach(async () => {
  office = await openOffice({ projects: realProjects });
  staff = office.as("staff");
  const account = `/manage/v1/accounts/${office.accountId}`;
  pets = `${account}/production/pets`;
  const rows = Array.from({ length: 7 }, (_, index) => ({ name: `Pet ${index}`, categoryId: 1 }));
  await staff.post(`${pets}/import`, { rows });
  const made = await office
    .as("owner")
    .post<{ readonly id: string }>(`${account}/projects`, { name: "Site" });
  project = `/manage/v1/projects/${made.body.id}`;
});

/** Adopts the files of all animals, page by page. */
async function adoptAll(): Promise<readonly AdoptedFiles[]> {
  const pages: AdoptedFiles[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: { readonly status: number; readonly body: AdoptedFiles } =
      await staff.post<AdoptedFiles>(`${project}/adopt`, { after });
    expect(page.status).toBe(200);
    pages.push(page.body);
    after = page.body.next;
  }
  return pages;
}

const profileOf = async (id: number) =>
  (
    await staff.get<{ readonly text?: string; readonly photos?: readonly PhotoShown[] }>(
      `${pets}/${id}/profile`,
    )
  ).body;

test("photos and texts move into profiles, and the site is published without their files", async () => {
  await publish({
    "index.html": "<h1>Own page</h1>",
    "animals/1/photo.jpg": jpeg,
    "animals/1/photo.webp": webp,
    "animals/1/bio.md": "Likes *long* walks.\n",
    "animals/2/photo.PNG": png,
    "animals/7/bio.md": "Seven.",
    "animals/99/photo.jpg": jpeg,
  });
  const pages = await adoptAll();
  const adopted = pages.flatMap((page) => page.adopted);
  expect(adopted.toSorted()).toEqual([
    "/animals/1/bio.md",
    "/animals/1/photo.jpg",
    "/animals/1/photo.webp",
    "/animals/2/photo.PNG",
    "/animals/7/bio.md",
  ]);
  expect(pages.flatMap((page) => page.skipped)).toEqual([
    { path: "/animals/99/photo.jpg", message: "There is no such animal." },
  ]);
  expect(await profileOf(1)).toMatchObject({ text: "Likes *long* walks.", photos: [{ id: 1 }] });
  expect((await profileOf(2)).photos).toHaveLength(1);
  expect((await profileOf(7)).text).toBe("Seven.");

  const finished = await staff.post<{ readonly deploy: string }>(`${project}/adopt/finish`, {
    deploy: pages[0]?.deploy,
    paths: adopted,
  });
  expect(finished.status).toBe(200);
  const files = await staff.get<readonly { readonly path: string }[]>(
    `${project}/deploys/${finished.body.deploy}/files`,
  );
  expect(files.body.map(({ path }) => path)).toEqual(["/animals/99/photo.jpg", "/index.html"]);
  const live = await staff.get<{ readonly liveDeployId: string }>(project);
  expect(live.body.liveDeployId).toBe(finished.body.deploy);
});

test("more animals than one response has follow in pages", async () => {
  const of = (id: number): readonly [string, string] => [`animals/${id}/bio.md`, `Text ${id}.`];
  await publish(Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map(of)));
  const pages = await adoptAll();
  expect(pages.map(({ adopted, next }) => [adopted.length, next])).toEqual([
    [5, 5],
    [2, undefined],
  ]);
});

test("repeating it changes nothing, and a file comes before the photos of the profile", async () => {
  await staff.raw("POST", `${pets}/1/photos`, {
    body: Uint8Array.from(png),
    headers: { "content-type": "image/png" },
  });
  await publish({ "animals/1/photo.jpg": jpeg, "animals/1/bio.md": "Text." });
  await adoptAll();
  const first = await profileOf(1);
  expect(first.photos?.map(({ id }) => id)).toEqual([2, 1]);
  await adoptAll();
  expect((await profileOf(1)).photos?.map(({ id }) => id)).toEqual([2, 1]);
  expect((await profileOf(1)).text).toBe("Text.");
});

test("an interrupted run is begun again, and moves each file once", async () => {
  const ids = [1, 2, 3, 4, 5, 6, 7];
  const of = (id: number) => [
    [`animals/${id}/photo.jpg`, jpeg] as const,
    // Profiles have it with line feeds, in NFC, and without the zero-width space.
    [`animals/${id}/bio.md`, `Text ${id}:\r\nZoe\u0308.\u200B\n`] as const,
  ];
  const deploy = await publish(Object.fromEntries(ids.flatMap(of)));
  await staff.post(`${project}/adopt`, { after: 0 });
  const pages = await adoptAll();
  const paths = pages.flatMap(({ adopted }) => adopted);
  expect(paths).toHaveLength(14);
  const profiles = await Promise.all(ids.map(profileOf));
  expect(profiles.map(({ photos, text }) => [photos?.length, text])).toEqual(
    ids.map((id) => [1, `Text ${id}:\nZo\u00EB.`]),
  );
  const finish = () => staff.post(`${project}/adopt/finish`, { deploy, paths });
  expect((await finish()).status).toBe(200);
  // Its response was lost.
  expect((await finish()).status).toBe(412);
});

test("what contradicts a profile or is no picture stays in the deploy", async () => {
  await staff.patch(`${pets}/1/profile`, { text: "From the profile." });
  await publish({ "animals/1/bio.md": "From the deploy.", "animals/2/photo.jpg": "no picture" });
  const [page] = await adoptAll();
  expect(page?.adopted).toEqual([]);
  expect(page?.skipped).toEqual([
    {
      path: "/animals/1/bio.md",
      message: "The animal's profile has another text. Remove one of them.",
    },
    { path: "/animals/2/photo.jpg", message: expect.stringContaining("is not a picture") },
  ]);
  expect((await profileOf(1)).text).toBe("From the profile.");
});

test("only files whose contents the profiles have are removed, and only of the deploy that was read", async () => {
  const old = await publish({ "animals/1/bio.md": "Text.", "index.html": "page" });
  const finish = async (body: unknown) => {
    const { status, body: reply } = await staff.post<{ readonly code: string }>(
      `${project}/adopt/finish`,
      body,
    );
    return [status, reply.code];
  };
  for (const path of ["/animals/1/bio.md", "/index.html", "/animals/9/bio.md"]) {
    expect(await finish({ paths: [path] })).toEqual([400, "invalid_value"]);
  }
  await adoptAll();
  const live = await publish({ "animals/1/bio.md": "Newer." });
  expect(await finish({ deploy: old, paths: ["/animals/1/bio.md"] })).toEqual([
    412,
    "precondition_failed",
  ]);
  const after = await staff.get<{ readonly liveDeployId: string }>(project);
  expect(after.body.liveDeployId).toBe(live);
});

test("a project without a live site is refused", async () => {
  for (const [path, body] of [
    ["adopt", {}],
    ["adopt/finish", { paths: [] }],
  ] as const) {
    expect((await staff.post(`${project}/${path}`, body)).status).toBe(409);
  }
});

test("the changes are those of the caller", async () => {
  await publish({ "animals/1/photo.jpg": jpeg, "animals/1/bio.md": "Text." });
  const owner = await office.signIn("owner");
  const seq = await office.store.events.last();
  await owner.api.post(`${project}/adopt`, {});
  await owner.api.post(`${project}/adopt/finish`, { paths: ["/animals/1/bio.md"] });
  const events = await office.store.events.after(seq, 100);
  expect<readonly string[]>(events.map(({ type }) => type)).toEqual([
    ...["photo.added", "pet.profile_updated"],
    ...["deploy.created", "deploy.ready", "deploy.activated"],
  ]);
  for (const { actor } of events) expect(actor).toEqual({ kind: "member", id: owner.memberId });
});
