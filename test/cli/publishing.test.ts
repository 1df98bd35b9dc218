import { describe, expect, test } from "bun:test";

import { desk, site, ways, type Deploy, type Project } from "./publishing-desk.ts";

/** Fetches the home page of a project from the server at `origin`. */
async function page(origin: string, { url }: Project): Promise<string> {
  const { host } = new URL(url);
  const response = await fetch(`${origin}/`, { headers: { host } });
  return `${response.status} ${await response.text()}`;
}

describe.each(ways)("%s", (way) => {
  test("a site is created, published, shown, rolled back and deleted", async () => {
    await using stack = new AsyncDisposableStack();
    const { here, desk: its, of } = await desk(way, stack);
    const project = await its.json<Project>("projects", "create", "Our cats", ...of);
    expect(project.url).toContain(`://${project.slug}.localhost:`);
    const on = ["--project", project.slug];

    const first = await its.run("deploy", await site("One"), ...on, "--message", "First");
    expect(first.stderr).toMatch(/^Skipped: \.env$/m);
    expect(first.stderr).toMatch(/^2 files, \d+ bytes \(\d+ bytes sent\), live in [\d.]+ s$/m);
    expect([first.exitCode, first.stdout]).toEqual([0, `${project.url}\n`]);
    const second = await its.json<Deploy>("deploy", await site("Two"), ...on);
    expect(second).toMatchObject({ state: "live", files: 2, url: project.url });
    expect(second.createdAt).toMatch(/^\d{4}-.*Z$/);
    expect(second.seconds).toBeNumber();

    const refused = await its.run("rollback", ...on);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("pass --yes")]);
    const back = await its.json<Deploy>("rollback", ...on, "--yes");
    expect(back).toMatchObject({ state: "live", url: project.url });
    expect(back.id).not.toBe(second.id);
    const listed = await its.json<Deploy[]>("deploys", "list", ...on);
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      [second.id, "superseded"],
      [back.id, "live"],
    ]);
    const sent = await its.json<Deploy>("deploy", await site("Three"), ...on, "--no-activate");
    expect(sent.state).toBe("ready");
    expect(sent.previewUrl).toBe(project.url.replace("://", `://${sent.id}--`));

    await its.json("projects", "set", project.slug, "--slug", "cats", "--accent", "#2f6f4f");
    const renamed = (await its.json<Project[]>("projects", "list", ...of))[0] ?? project;
    expect(renamed).toMatchObject({ id: project.id, slug: "cats", theme: { accent: "#2f6f4f" } });

    const origin = way === "in process" ? stack.use(await here.serve()).origin : undefined;
    const reached = origin ?? new URL(renamed.url).origin.replace("cats.localhost", "127.0.0.1");
    expect(await page(reached, renamed)).toBe("200 <h1>One</h1>");
    const preview = { ...renamed, url: sent.previewUrl.replace(project.slug, "cats") };
    expect(await page(reached, preview)).toBe("200 <h1>Three</h1>");
    await its.run("deploys", "activate", sent.id, "--project", "cats");
    expect(await page(reached, renamed)).toBe("200 <h1>Three</h1>");
    expect((await its.json<Deploy>("deploy", "--starter", "--project", "cats")).state).toBe("live");
    expect(await page(reached, renamed)).toContain("Our cats");
  });
});

test("a deleted project's site is 404 until the project is restored", async () => {
  await using stack = new AsyncDisposableStack();
  const { desk: its, of } = await desk("through the server", stack);
  const project = await its.json<Project>("projects", "create", "Cats", ...of, "--slug", "cats");
  const origin = new URL(project.url).origin.replace("cats.localhost", "127.0.0.1");
  await its.run("deploy", await site("One"), "--project", "cats");
  expect((await its.run("projects", "delete", "cats")).exitCode).toBe(2);
  const deleted = await its.run("projects", "delete", "cats", "--yes");
  expect(deleted.stderr).toMatch(
    /^Deleted cats\. Restore it until \d{4}-.* projects restore cats$/m,
  );
  expect(await page(origin, project)).toStartWith("404 ");
  await its.run("projects", "restore", "cats");
  expect(await page(origin, project)).toBe("200 <h1>One</h1>");
});
