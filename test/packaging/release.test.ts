import { describe, expect, test } from "bun:test";

import Ajv from "ajv";
import { createHash } from "node:crypto";
import { join } from "node:path";

import { commands } from "../../cli/commands.ts";
import { writeArchive, type Member } from "../../scripts/releasing/archive.ts";
import { bundledPackages } from "../../scripts/releasing/bundled.ts";
import { changelogEntries, releaseNotes } from "../../scripts/releasing/changelog.ts";
import { manPage } from "../../scripts/releasing/man.ts";
import { sbom } from "../../scripts/releasing/sbom.ts";
import { releaseTargets } from "../../scripts/releasing/targets.ts";
import manifest from "../../package.json";
import { torture } from "../helpers/chance.ts";
import { folders } from "../helpers/folders.ts";

const ROOT = join(import.meta.dir, "../..");
const SCHEMAS = join(ROOT, "node_modules/@cyclonedx/cyclonedx-library/res/schema");
const AT = "2026-11-26T13:42:13.000Z";
const { folder } = folders();

const release = { version: "1.2.3", commit: "a".repeat(40), at: AT, targets: releaseTargets };

describe("the bill of materials", () => {
  test("is valid CycloneDX 1.6", async () => {
    const schema = async (name: string) =>
      Bun.file(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`)).json();
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    for (const name of ["spdx", "jsf-0.82"]) {
      ajv.addSchema(await schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    }
    const isValid = ajv.compile(await schema("bom-1.6"));
    const bill = await sbom(release);
    expect([isValid(bill), isValid.errors]).toEqual([true, null]);
    // The check can fail.
    expect(isValid({ ...bill, components: [{ type: "library" }] })).toBe(false);
  });

  test("lists every package of the executables with its hash, and every runtime", async () => {
    const lock = await Bun.file(join(ROOT, "package-lock.json")).json();
    const { components } = JSON.parse(JSON.stringify(await sbom(release)));
    const listed = new Map<string, string>(
      components.map((one: { bom: string; "bom-ref": string; hashes: { content: string }[] }) => [
        one["bom-ref"],
        one.hashes[0]?.content,
      ]),
    );
    const wanted = [
      ...(await bundledPackages()).keys(),
      ...releaseTargets.map(({ runtime }) => `node_modules/@oven/${runtime}`),
    ];
    for (const path of wanted) {
      const { version, integrity } = lock.packages[path];
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
      const hash = Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
      expect([purl, listed.get(purl)]).toEqual([purl, hash]);
    }
    expect(listed.size).toBe(new Set(wanted.map((path) => lock.packages[path].integrity)).size);
  });
});

describe("archives", () => {
  const members: readonly Member[] = [
    { path: "petstore", content: new Uint8Array(100_000).fill(7), executable: true },
    { path: "completions/_petstore", content: new TextEncoder().encode("#compdef petstore\n") },
  ];

  test.each(["petstore-1.2.3-linux-x64.tar.gz", "petstore-1.2.3-windows-x64.zip"])(
    "%s is the same bytes each time, and unpacks to one folder",
    async (name) => {
      const [one, two] = [await folder(), await folder()];
      await writeArchive(join(one, name), members, Date.parse(AT));
      await writeArchive(join(two, name), members.toReversed(), Date.parse(AT));
      const bytes = await Bun.file(join(one, name)).bytes();
      expect(Bun.SHA256.hash(bytes, "hex")).toBe(
        Bun.SHA256.hash(await Bun.file(join(two, name)).bytes(), "hex"),
      );
      const unpack = name.endsWith(".zip")
        ? ["python3", "-m", "zipfile", "-e", name, "."]
        : ["tar", "-xzf", name];
      expect(Bun.spawnSync(unpack, { cwd: one }).exitCode).toBe(0);
      const top = join(one, name.replace(/\.(zip|tar\.gz)$/, ""));
      expect(await Bun.file(join(top, "completions/_petstore")).text()).toBe("#compdef petstore\n");
      expect(await Bun.file(join(top, "petstore")).bytes()).toEqual(
        new Uint8Array(100_000).fill(7),
      );
      // Windows has no such permission.
      const { mode } = await Bun.file(join(top, "petstore")).stat();
      if (!name.endsWith(".zip")) expect(mode & 0o777).toBe(0o755);
    },
  );
});

describe("the changelog", () => {
  test("has a heading for each version, newest first, and none above the package's", async () => {
    const entries = changelogEntries(await Bun.file(join(ROOT, "CHANGELOG.md")).text());
    expect(entries[0]?.version).toBe("Unreleased");
    const versions = entries.slice(1).map(({ version }) => version);
    const order = (a: string, b: string): number => Bun.semver.order(b, a);
    expect(versions).toEqual(versions.toSorted(order));
    expect(versions.every((one) => Bun.semver.order(one, manifest.version) <= 0)).toBe(true);
  });

  test.each([
    ["## Unreleased\n\n## 1.2.3 - 2026-11-26\n\n- New.\n", undefined],
    ["## 1.2.3 - 2026-11-26\n\n- New.\n\n## 1.2.2 - 2026-11-01\n\n- Old.\n", undefined],
    ["## Unreleased\n\n- New.\n", "has no heading for 1.2.3"],
    ["## Unreleased\n\n- More.\n\n## 1.2.3 - 2026-11-26\n\n- New.\n", 'entries under "Unreleased"'],
    ["## Unreleased\n\n## 1.2.3 - 2026-11-26\n\n", "says nothing about 1.2.3"],
    ["## 1.2.4 - 2026-11-27\n\n- N.\n\n## 1.2.3 - 2026-11-26\n\n- New.\n", "no heading for 1.2.3"],
    ["## Version 1.2.3\n\n- New.\n", 'has the heading "## Version 1.2.3"'],
    ["## 1.2.3 - November\n\n- New.\n", 'has the heading "## 1.2.3 - November"'],
  ])("%j is ready for 1.2.3, or says what is missing", (text, complaint) => {
    const changelog = `# Changelog\n\n${text}`;
    if (complaint === undefined) {
      expect(releaseNotes(changelog, "1.2.3")).toMatchObject({
        date: "2026-11-26",
        text: "- New.",
      });
    } else expect(() => releaseNotes(changelog, "1.2.3")).toThrow(complaint);
  });
});

test("the manual page names every command and option, and no line of text is a command of roff", () => {
  const page = manPage(commands, "1.2.3", AT);
  const plain = page.replaceAll(String.raw`\-`, "-");
  for (const { path, flags } of commands) {
    expect(plain).toContain(`.SS "petstore ${path}`);
    for (const [, { name, unlisted }] of flags) if (!unlisted) expect(plain).toContain(`--${name}`);
  }
  const used = new Set([...page.matchAll(/^[.'](\w*)/gm)].map(([, name]) => name));
  expect(used).toEqual(new Set(["B", "BR", "PP", "SH", "SS", "TH", "TP"]));
});

// It compiles for four systems, twice.
if (torture) {
  test("a release built in two directories is the same bytes", async () => {
    const sums: string[] = [];
    for (const _ of [1, 2]) {
      const clone = await folder();
      const run = (...command: readonly string[]): void => {
        const { exitCode, stderr } = Bun.spawnSync([...command], { cwd: clone });
        expect([command, exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([
          command,
          0,
          "",
        ]);
      };
      run("git", "clone", "-q", ROOT, ".");
      run("cp", "-r", join(ROOT, "node_modules"), ".");
      run("scripts/release", "--draft");
      sums.push(await Bun.file(join(clone, "dist/release/SHA256SUMS")).text());
      for (const line of sums.at(-1)?.trim().split("\n") ?? []) {
        const [sum, name = ""] = line.split("  ");
        const bytes = await Bun.file(join(clone, "dist/release", name)).bytes();
        expect(createHash("sha256").update(bytes).digest("hex")).toBe(sum ?? "");
      }
    }
    expect(sums[0]?.split("\n")).toHaveLength(releaseTargets.length + 3);
    expect(sums[1]).toBe(sums[0] ?? "");
  }, 1_800_000);
}
