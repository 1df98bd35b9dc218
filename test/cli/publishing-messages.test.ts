import { expect, test } from "bun:test";

import { join } from "node:path";

import { installation, scratch } from "./installation.ts";
import { desk, site, type Deploy, type Project } from "./publishing-desk.ts";

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
