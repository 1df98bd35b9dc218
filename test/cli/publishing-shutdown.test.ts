import { expect, test } from "bun:test";

import { tarGz, type FileToPack } from "../../lib/publishing/index.ts";
import type { Program } from "../helpers/process.ts";
import { installation, type Installation } from "./installation.ts";

interface Begun {
  /** Resolves with the events that the sender received. */
  readonly events: Promise<string>;
  /** Sends the rest of the archive. */
  finish(): void;
}

/** Starts an upload whose last file is held back. */
async function beginDeploy(server: Program, slug: string, token: string): Promise<Begun> {
  const held = Promise.withResolvers<void>();
  async function* files(): AsyncGenerator<FileToPack> {
    const content = new TextEncoder().encode("<h1>Here</h1>");
    yield { path: "index.html", size: content.length, content };
    await held.promise;
    yield { path: "last.html", size: content.length, content };
  }
  const response = await fetch(`${server.origin}/manage/v1/projects/${slug}/deploys`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/gzip",
      accept: "text/event-stream",
    },
    body: tarGz(files()),
  });
  return { events: response.text(), finish: () => held.resolve() };
}

async function project(here: Installation): Promise<readonly [slug: string, token: string]> {
  const { id } = await here.json<{ readonly id: string }>("accounts", "create", "A");
  const { slug } = await here.json<{ readonly slug: string }>(
    "projects",
    "create",
    "A",
    "--account",
    id,
  );
  return [slug, (await here.run("tokens", "create")).stdout.trim()];
}

test("a deploy in progress when the server stops is completed and goes live", async () => {
  const here = await installation();
  const server = await here.serve();
  const [slug, token] = await project(here);
  const deploy = await beginDeploy(server, slug, token);
  const ended = server.end("SIGTERM");
  while ((await fetch(`${server.origin}/readyz`).catch(() => undefined))?.status === 200) {
    await Bun.sleep(10);
  }
  deploy.finish();
  expect(await deploy.events).toMatch(/event: done\ndata: \{.*"state":"live"/);
  expect(await ended).toBe(0);
  expect(await here.json<unknown[]>("deploys", "list", "--project", slug)).toMatchObject([
    { state: "live", files: 2 },
  ]);
});

test("an event stream does not delay the shutdown", async () => {
  const here = await installation();
  const server = await here.serve();
  const [, token] = await project(here);
  const response = await fetch(`${server.origin}/manage/v1/events`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
  });
  const received = response.text();
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await received).toContain("retry:");
  expect(server.output()).not.toContain("broken off");
});
