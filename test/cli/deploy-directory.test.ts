import { expect, test } from "bun:test";

import { rm } from "node:fs/promises";
import { join } from "node:path";

import { deployDirectory } from "../../cli/deploys.ts";
import { siteDirectory } from "../../cli/site-directory.ts";
import type { Style } from "../../server/process/log.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { utf8 } from "../../lib/base/digest.ts";
import { problem, type Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { toWire, type DeployUploads } from "../../lib/management/index.ts";
import type { Deploy, DeployProgress } from "../../lib/publishing/index.ts";
import { manualClock } from "../helpers/clock.ts";
import { rejection } from "../helpers/rejection.ts";
import { installation, scratch } from "./installation.ts";

const live: Deploy = {
  id: "d1",
  projectId: "prj_1",
  state: "live",
  source: "archive",
  author: "local",
  files: 2,
  bytes: 6,
  pinned: false,
  createdAt: 0,
  touchedAt: 0,
};

const plain = (text: string): string => text;
const style: Style = { dim: plain, red: plain, yellow: plain, green: plain };

type Create = (
  archive: Response,
  onProgress: (progress: DeployProgress) => void,
) => Promise<Result<Deploy, Problem>>;

/** Sends a small site to a service that answers with the events of `create`, on a terminal that records its output. */
async function sending(create: Create) {
  const directory = await scratch();
  await Bun.write(join(directory, "a.txt"), "aaa");
  await Bun.write(join(directory, "b.txt"), "bbb");
  const site = await siteDirectory(directory);
  let written = "";
  const err = (text: string): void => void (written += text);
  const client: DeployUploads = {
    open: async (_operation, _input, { body }) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const tell = (event: string, value: unknown): Promise<void> =>
        writer.write(utf8(`event: ${event}\ndata: ${JSON.stringify(toWire(value))}\n\n`));
      create(new Response(body), (progress) => void tell("progress", progress))
        .then((made) => (made.ok ? tell("done", made.value) : tell("problem", made.failure)))
        .then(() => writer.close())
        .catch((error: unknown) => writer.abort(error));
      return new Response(readable, { headers: { "content-type": "text/event-stream" } });
    },
  };
  const clock = manualClock(0);
  const run = () =>
    deployDirectory({
      client,
      project: "prj_1",
      directory,
      site,
      options: {},
      context: {
        // It uses no other member of the terminal.
        terminal: { errIsTerminal: true, err, style } as unknown as Terminal,
        clock,
      },
    });
  return { directory, run, clock, written: () => written };
}

test("deploy shows upload progress, then the steps of the service, and clears the line at the end", async () => {
  let size = 0;
  const deploy = await sending(async (archive, onProgress) => {
    onProgress({ deployId: "d1", state: "uploading", files: 0, bytes: 0 });
    size = (await archive.bytes()).length;
    // The line is drawn ten times a second.
    deploy.clock.advance(100);
    await Bun.sleep(0);
    deploy.clock.advance(100);
    onProgress({ deployId: "d1", state: "processing", files: 1, bytes: 3 });
    return done(live);
  });
  const { made, sent } = await deploy.run();
  expect([made, sent]).toEqual([live, size]);
  const shown = deploy.written().split("\r\u001B[K").slice(1);
  expect(shown).toEqual([
    expect.stringContaining("50 %  1 files"),
    expect.stringMatching(/ 100 % {2}2 files, 20\/s$/),
    "processing, 1 of 2",
    "",
  ]);
});

test("a refusal by the service keeps its message", async () => {
  const deploy = await sending(async () => refused(problem("invalid_archive", "b.txt: no.")));
  expect(await rejection(deploy.run())).toMatchObject({ exit: "usage", message: "b.txt: no." });
});

test("an unreadable file is reported as the reason, not the service's refusal of the incomplete archive", async () => {
  const half = problem("invalid_archive", "The archive ends too early.");
  for (const end of ["refused", "broken off"]) {
    const deploy = await sending(async (archive) => {
      await archive.bytes().catch((error: unknown) => {
        if (end === "broken off") throw error;
      });
      return refused(half);
    });
    await rm(join(deploy.directory, "b.txt"));
    expect(await rejection(deploy.run())).toMatchObject({
      message: expect.stringContaining("b.txt cannot be read: no such file or directory."),
    });
    expect(deploy.written()).toEndWith("\r\u001B[K");
  }
});

test("an error in petstore.site.json is reported with its place, and the live deploy stays", async () => {
  const here = await installation();
  const { id } = await here.json<{ readonly id: string }>("accounts", "create", "A");
  const of = ["--account", id, "--slug", "cats"];
  await here.json("projects", "create", "A", ...of);
  await here.json("deploy", "--starter", "--project", "cats");
  const root = await scratch();
  await Bun.write(join(root, "petstore.site.json"), '{"theme": {"accent": "blue"}}');
  const { exitCode, stdout, stderr } = await here.run("deploy", root, "--project", "cats");
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("petstore.site.json at /theme/accent");
  const deploys = await here.json<Deploy[]>("deploys", "list", "--project", "cats");
  expect(deploys.map(({ state }) => state)).toEqual(["failed", "live"]);
});
