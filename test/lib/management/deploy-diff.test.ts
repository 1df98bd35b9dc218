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
