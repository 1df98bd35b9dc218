import { describe, expect, test } from "bun:test";

import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";

import { runProgram, type Finished } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

interface Project {
  readonly id: string;
  readonly slug: string;
  readonly url: string;
}

interface Deploy {
  readonly id: string;
  readonly state: string;
  readonly files: number;
  readonly url: string;
  readonly previewUrl: string;
  readonly seconds: number;
  readonly createdAt: string;
}

/** Runs commands against one service, in one of the three ways. */
interface Desk {
  run(...args: readonly string[]): Promise<Finished>;
  json<Document>(...args: readonly string[]): Promise<Document>;
}

const ways = ["in process", "through the server", "from elsewhere"] as const;

/** Creates an installation with an account, and runs commands against it in the given way. */
async function desk(way: (typeof ways)[number], stack: AsyncDisposableStack) {
  const here = await installation();
  const account = await here.json<{ readonly id: string }>("accounts", "create", "Happy Tails");
  const server = way === "in process" ? undefined : stack.use(await here.serve());
  const of = ["--account", account.id];
  if (way !== "from elsewhere") return { here, desk: here, of };
  const path = join(await scratch(), "token");
  const token = await here.run("tokens", "create", ...of, "--role", "staff");
  await Bun.write(path, token.stdout);
  await chmod(path, 0o600);
  const where = ["--server", server?.origin ?? "", "--token-file", path];
  const run: Desk["run"] = (...args) => runProgram([...args, ...where]);
  const json: Desk["json"] = async (...args) => {
    const { exitCode, stdout, stderr } = await run(...args, "--json");
    if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return { here, desk: { run, json }, of };
}

async function site(text: string): Promise<string> {
  const root = join(await scratch(), "site");
  await mkdir(root);
  await Bun.write(join(root, "index.html"), `<h1>${text}</h1>`);
  await Bun.write(join(root, "css/style.css"), "h1 { color: teal }");
  await Bun.write(join(root, ".env"), "SECRET=1");
  return root;
}

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

test("a deploy with invalid input is refused before anything is sent", async () => {
  await using stack = new AsyncDisposableStack();
  const { desk: its, of } = await desk("in process", stack);
  const { slug } = await its.json<Project>("projects", "create", "Cats", ...of);
  const empty = await scratch();
  const good = await site("x");
  const cases: readonly (readonly [readonly string[], number, string])[] = [
    [["deploy", empty, "--project", slug], 2, "is empty. --starter publishes"],
    [["deploy", `${empty}/none`, "--project", slug], 4, "does not exist"],
    [["deploy", "--project", slug], 2, "DIR is required, or --starter"],
    [["deploy", good, "--starter", "--project", slug], 2, "remove --starter or DIR"],
    [["deploy", good], 2, "--project is required"],
    [["deploy", good, "--project", "nobody"], 4, 'There is no project "nobody".'],
    [["projects", "create", "x", ...of, "--slug", "admin"], 2, "is reserved"],
    [["projects", "create", "x", ...of, "--category", "99"], 2, "no category 99"],
    [
      ["projects", "create", "x", "--account", "acc_nobody"],
      4,
      'There is no account "acc_nobody".',
    ],
    [["projects", "set", slug], 2, "No change given"],
    [["rollback", "--project", slug, "--yes"], 4, ""],
    [
      ["rollback", "--project", slug, "--to", "nothing", "--yes"],
      4,
      'There is no deploy "nothing".',
    ],
    [["usage", "--account", "acc_nobody"], 4, 'There is no account "acc_nobody".'],
    [["usage", ...of, "--from", "yesterday"], 2, "must be a time such as 2026-11-20"],
  ];
  for (const [args, code, words] of cases) {
    const { exitCode, stdout, stderr } = await its.run(...args);
    expect([args, exitCode, stdout, stderr]).toEqual([
      args,
      code,
      "",
      expect.stringContaining(words),
    ]);
  }
  expect(await its.json<Deploy[]>("deploys", "list", "--project", slug)).toEqual([]);
});

test("a site without an index page is published, with a hint about the storefront", async () => {
  await using stack = new AsyncDisposableStack();
  const { desk: its, of } = await desk("in process", stack);
  const { slug } = await its.json<Project>("projects", "create", "Cats", ...of);
  const root = await scratch();
  await Bun.write(join(root, "animals/1/bio.md"), "Rex is shy.");
  const { exitCode, stderr } = await its.run("deploy", root, "--project", slug);
  expect(stderr).toContain("No index.html found: the storefront is the home page.");
  expect(exitCode).toBe(0);
});

test("the settings of a site are set, shown and removed, and the deploy wins over them", async () => {
  const here = await installation();
  const account = await here.json<{ readonly id: string }>("accounts", "create", "Happy Tails");
  const of = ["--account", account.id, "--language", "fr"];
  const { slug } = await here.json<Project>("projects", "create", "Refuge", ...of);
  const set = await here.run(
    "sites",
    "set",
    slug,
    "--title",
    "Le refuge",
    "--phone",
    "01 55 50 10 00",
  );
  expect(set.stdout).toMatch(/^language {2,}fr {2,}project$/m);
  expect(set.stdout).toMatch(/^title {2,}Le refuge {2,}project$/m);
  expect(set.stdout).toMatch(/^heading {2,}Ils cherchent un foyer {2,}default$/m);
  const root = await site("Un");
  await Bun.write(join(root, "petstore.site.json"), JSON.stringify({ title: "Du fichier" }));
  await here.json("deploy", root, "--project", slug);
  const shown = await here.run("sites", "show", slug);
  expect(shown.stdout).toMatch(/^title {2,}Du fichier {2,}petstore\.site\.json$/m);
  expect(shown.stderr).toContain("wins over: title\n");
  expect(await here.json("sites", "set", slug, "--phone", "", "--title", "")).toMatchObject({
    settings: { language: "fr" },
    deployWins: ["title"],
  });
  const nothing = await here.run("sites", "set", slug);
  expect([nothing.exitCode, nothing.stderr]).toEqual([
    2,
    expect.stringContaining("No change given"),
  ]);
  const faulty = await here.run("sites", "set", slug, "--donate", "javascript:alert(1)");
  expect([faulty.exitCode, faulty.stderr]).toEqual([2, expect.stringContaining("https://")]);
});

test("without a terminal a deploy is published, and says what is gone and what is not used", async () => {
  const here = await installation();
  const account = await here.json<{ readonly id: string }>("accounts", "create", "Happy Tails");
  const { slug } = await here.json<Project>("projects", "create", "Cats", "--account", account.id);
  const on = ["--project", slug];
  const root = await site("One");
  await Bun.write(join(root, "petstore.site.json"), "{}");
  await Bun.write(join(root, "animals/1/photo.jpg"), "x");
  await Bun.write(join(root, "animals/Rex/IMG_1.JPG"), "x");
  await Bun.write(join(root, "animals/2/bio.md"), new Uint8Array([0x47, 0xfc]));
  const first = await here.run("deploy", root, ...on);
  expect(first.stderr).toMatch(/^Not used: animals\/1\/photo\.jpg: there is no animal/m);
  expect(first.stderr).toMatch(/^Not used: animals\/2\/bio\.md: the text is not UTF-8/m);
  expect(first.stderr).toMatch(/^Not used: animals\/Rex\/IMG_1\.JPG: the folder is not/m);
  const more = await site("Two");
  const added = await here.run("deploy", more, "--add", ...on);
  expect([added.exitCode, added.stderr]).toEqual([0, expect.not.stringContaining("Gone")]);
  const second = await here.run("deploy", await site("Three"), ...on);
  expect(second.exitCode).toBe(0);
  expect(second.stderr).toContain(
    "Gone from the site: 4 files: photos of 1 animal, texts of 1 animal, site settings",
  );
  const asked = await here.json("deploy", more, "--yes", ...on);
  expect(asked).toMatchObject({ state: "live", gone: { files: 0 }, unused: [] });
  const refused = await here.run("deploy", more, "--add", "--no-activate", ...on);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining("--add publishes"),
  ]);
});
