import { expect, test } from "bun:test";

import { join } from "node:path";

import { bundledPackages, contents, noticeText } from "../../scripts/releasing/bundled.ts";

const ROOT = join(import.meta.dir, "../..");

test("the container is built from every directory that the program imports", async () => {
  const { directories } = await contents();
  const dockerfile = await Bun.file(join(ROOT, "Dockerfile")).text();
  const ignored = await Bun.file(join(ROOT, ".dockerignore")).text();
  expect(directories.size).toBeGreaterThan(6);
  for (const directory of directories) {
    expect(dockerfile).toContain(`\nCOPY ${directory} ${directory}\n`);
    expect(ignored).toContain(`\n!${directory}\n`);
  }
});

/** Licences that only ask for a notice. */
const FREE = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "0BSD",
  "Unlicense",
  "BlueOak-1.0.0",
]);

test("every licence in the executable only asks for a notice", async () => {
  for (const [path, { license }] of await bundledPackages()) {
    const choices = license.replaceAll(/[()]/g, "").split(" OR ");
    expect([path, choices.some((one) => FREE.has(one))]).toEqual([path, true]);
  }
});

test("NOTICE has the licence of every package in the executable, and of the runtime", async () => {
  const written = await noticeText();
  const path = join(ROOT, "NOTICE");
  if (process.env["UPDATE_DOCS"] === "1") await Bun.write(path, written);
  expect(await Bun.file(path).text()).toBe(written);
  // Of the program, of the pages in it, and of packages that depend on others.
  for (const name of ["valibot", "nodemailer", "preact", "@preact/signals-core", "micromark"]) {
    expect(written).toMatch(new RegExp(`^${name} \\d`, "m"));
  }
});
