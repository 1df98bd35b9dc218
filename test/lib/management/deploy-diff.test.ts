import { expect, test } from "bun:test";
import { utf8 } from "../../../lib/base/digest.ts";
import { tarGz, type FileToPack } from "../../../lib/publishing/archive/write-tar.ts";
import type { Api } from "../../helpers/api.ts";
import { openOffice, realProjects } from "../../helpers/management.ts";

interface Failure {
  readonly code: string;
}

type Files = Readonly<Record<string, string>>;

async function openSite(): Promise<{
  readonly publish: (files: Files, query?: string) => Promise<string>;
  /** Sends a request that must be refused. */
  readonly failed: (files: Files) => Promise<string>;
  readonly diff: (deploy: string, query?: string) => ReturnType<Api["get"]>;
  readonly add: (deploy: string) => ReturnType<Api["post"]>;
}> {
  const office = await openOffice({ projects: realProjects });
  const staff = office.as("staff");
  const account = `/manage/v1/accounts/${office.accountId}`;
  const made = await staff.post<{ id: string }>(`${account}/projects`, { name: "Otters" });
  const deploys = `/manage/v1/projects/${made.body.id}/deploys`;
  async function* packed(files: Files): AsyncGenerator<FileToPack> {
    for (const [path, text] of Object.entries(files)) {
      const content = utf8(text);
      yield { path, size: content.length, content };
    }
  }
  const send = async (files: Files, query = "") => {
    const body = await new Response(tarGz(packed(files))).arrayBuffer();
    const headers = { "content-type": "application/gzip" };
    await office.clock.advance(1);
    return staff.raw<{ id: string }>("POST", deploys + query, { body, headers });
  };
  return {
    publish: async (files, query) => (await send(files, query)).body.id,
    failed: async (files) => {
      await send(files);
      const all = await staff.get<readonly { id: string; state: string }[]>(deploys);
      return all.body.find(({ state }) => state === "failed")?.id ?? "";
    },
    diff: (deploy, query = "") => staff.get(`${deploys}/${deploy}/diff${query}`),
    add: (deploy) => staff.post(`${deploys}/${deploy}/activate?add=true`),
  };
}

test("a deploy is compared with the live one, and the live one with its predecessor", async () => {
  const { publish, diff } = await openSite();
  const first = await publish({ "index.html": "one", "old.html": "old" });
  expect((await diff(first)).body).toMatchObject({
    against: null,
    added: [{ path: "/index.html", bytes: 3 }, { path: "/old.html" }],
  });
  const live = await publish({ "index.html": "three", "old.html": "old" });
  const waiting = await publish({ "index.html": "three", "new.html": "new" }, "?activate=false");
  expect((await diff(live)).body).toMatchObject({
    against: first,
    added: [],
    changed: [{ path: "/index.html", bytes: 5, bytesBefore: 3 }],
    removed: [],
    counts: { added: 0, changed: 1, removed: 0, same: 1 },
  });
  const waits = await diff(waiting);
  expect(waits.body).toMatchObject({ against: live, changed: [] });
  expect(waits.body).toMatchObject({
    added: [{ path: "/new.html" }],
    removed: [{ path: "/old.html" }],
  });
  expect((await diff(waiting, `?against=${waiting}`)).body).toMatchObject({
    counts: { added: 0, changed: 0, removed: 0, same: 2 },
  });
});

test("a comparison says what visitors would miss and which files for animals are not used", async () => {
  const { publish, diff } = await openSite();
  const live = await publish({
    "petstore.site.json": "{}",
    "index.html": "one",
    "animals/1/photo.jpg": "x",
    "animals/2/bio.md": "text",
  });
  expect((await diff(live)).body).toMatchObject({
    gone: { files: 0, photosOf: 0, textsOf: 0, siteFile: false },
    unused: [
      { path: "/animals/1/photo.jpg", reason: "unknown_animal" },
      { path: "/animals/2/bio.md", reason: "unknown_animal" },
    ],
  });
  const next = await publish(
    { "index.html": "one", "animals/Rex/photo.jpg": "x" },
    "?activate=false",
  );
  expect((await diff(next)).body).toMatchObject({
    gone: { files: 3, photosOf: 1, textsOf: 1, siteFile: true },
    unused: [{ path: "/animals/Rex/photo.jpg", reason: "folder" }],
  });
});

test("a deploy is added to the live one when it is sent, or when it is activated", async () => {
  const { publish, diff, add } = await openSite();
  const live = await publish({ "petstore.site.json": '{"title":"T"}', "index.html": "one" });
  const sent = await publish({ "a.html": "a" }, "?add=true");
  expect((await diff(sent)).body).toMatchObject({ against: live, gone: { files: 0 } });
  const ready = await publish({ "b.html": "b" }, "?activate=false");
  const added = await add(ready);
  expect(added.body).toMatchObject({ state: "live", files: 4 });
  expect((await add("a0000000000000000000")).status).toBe(404);
  expect((await diff((added.body as { id: string }).id)).body).toMatchObject({
    against: sent,
    added: [{ path: "/b.html" }],
    counts: { removed: 0, same: 3 },
  });
  // What is live could change before it is published.
  expect(await publish({ "c.html": "c" }, "?add=true&activate=false")).toBeUndefined();
});

test("a site file that is added may name files of the live site", async () => {
  const { publish, diff } = await openSite();
  await publish({ "logo.png": "x" });
  const siteFile = JSON.stringify({ theme: { logo: "/logo.png" } });
  const sent = await publish({ "petstore.site.json": siteFile }, "?add=true");
  expect((await diff(sent)).body).toMatchObject({ counts: { added: 1, same: 1 } });
});

test("an unknown or unfinished deploy cannot be compared", async () => {
  const { publish, diff, failed } = await openSite();
  const live = await publish({ "index.html": "one" });
  const code = async (deploy: string, query = "") =>
    ((await diff(deploy, query)).body as Failure).code;
  expect(await code("a0000000000000000000")).toBe("not_found");
  expect(await code(live, "?against=a0000000000000000000")).toBe("not_found");
  const broken = await failed({ "../index.html": "out" });
  expect(await code(broken)).toBe("deploy_not_ready");
  expect(await code(live, `?against=${broken}`)).toBe("deploy_not_ready");
  expect(await code(live, "?against=NOBODY")).toBe("invalid_parameter");
});
