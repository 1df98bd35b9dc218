import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

import { commands } from "../../cli/commands.ts";
import { completionFor } from "../../cli/completion.ts";
import manifest from "../../package.json";
import { committed, compile } from "../compile.ts";
import { writeArchive, type Member } from "./archive.ts";
import { noticeText } from "./bundled.ts";
import { releaseNotes } from "./changelog.ts";
import { buildImage } from "./image.ts";
import { manPage } from "./man.ts";
import { sbom } from "./sbom.ts";
import { releaseTargets, runtimeOf, type ReleaseTarget } from "./targets.ts";

const ROOT = join(import.meta.dir, "../..");
const USAGE = `Usage: scripts/release [--out DIR] [--only TARGET]… [--draft] [--image]

Builds the archives of a release, SHA256SUMS, the bill of materials and releases.json.
  --out DIR      Where to write them. Default: dist/release.
  --only TARGET  ${releaseTargets.map(({ name }) => name).join(", ")}. Default: all.
  --draft        Do not require a clean tree and a changelog for this version.
  --image        Also build the container image, with docker, podman or buildah.
`;

/** Everything that the files of a release depend on. */
interface Release {
  readonly version: string;
  readonly commit: string;
  readonly at: string;
  readonly date: string;
  readonly targets: readonly ReleaseTarget[];
  readonly out: string;
}

const read = async (path: string): Promise<Uint8Array> => Bun.file(join(ROOT, path)).bytes();
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** Returns what every archive has beside the executable. */
async function commonMembers({ version, at }: Release): Promise<readonly Member[]> {
  return [
    { path: "README.md", content: await read("README.md") },
    { path: "LICENSE", content: await read("LICENSE") },
    { path: "NOTICE", content: text(await noticeText()) },
    { path: "CHANGELOG.md", content: await read("CHANGELOG.md") },
    { path: "completions/petstore.bash", content: text(completionFor("bash", commands)) },
    { path: "completions/_petstore", content: text(completionFor("zsh", commands)) },
    { path: "completions/petstore.fish", content: text(completionFor("fish", commands)) },
    { path: "petstore.1", content: text(manPage(commands, version, at)) },
  ];
}

/** Compiles and packs the program for one system; returns the path of the archive. */
async function packTarget(
  release: Release,
  target: ReleaseTarget,
  common: readonly Member[],
  scratch: string,
): Promise<string> {
  const { version, commit, at, out } = release;
  const folder = join(scratch, target.name);
  await mkdir(folder);
  const build = { commit, at, target: target.name };
  const system = { name: `bun-${target.name}`, runtime: await runtimeOf(target) };
  await compile(join(folder, target.executable), build, system);
  const program = await Bun.file(join(folder, target.executable)).bytes();
  const extension = target.name.startsWith("windows") ? "zip" : "tar.gz";
  const path = join(out, `petstore-${version}-${target.name}.${extension}`);
  const unit = target.name.startsWith("linux")
    ? [{ path: "petstore.service", content: await read("docs/petstore.service") }]
    : [];
  const executable: Member = { path: target.executable, content: program, executable: true };
  await writeArchive(path, [executable, ...common, ...unit], Date.parse(at));
  await rm(folder, { recursive: true });
  return path;
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of Bun.file(path).stream()) hash.update(part);
  return `${hash.digest("hex")}  ${basename(path)}\n`;
}

async function writeRelease(release: Release): Promise<readonly string[]> {
  const { version, date, out } = release;
  const scratch = await mkdtemp(join(out, "building-"));
  try {
    const common = await commonMembers(release);
    const written: string[] = [];
    for (const target of release.targets) {
      console.log(`building ${target.name}`);
      written.push(await packTarget(release, target, common, scratch));
    }
    const json = async (name: string, value: object): Promise<void> => {
      written.push(join(out, name));
      await Bun.write(join(out, name), `${JSON.stringify(value, null, 2)}\n`);
    };
    await json(`petstore-${version}.cdx.json`, await sbom(release));
    await json("releases.json", { version, date });
    const sums = await Promise.all(written.toSorted().map(sumOf));
    // Last, so that an interrupted build has none.
    await Bun.write(join(scratch, "SHA256SUMS"), sums.join(""));
    await rename(join(scratch, "SHA256SUMS"), join(out, "SHA256SUMS"));
    return written;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: "string", default: join(ROOT, "dist/release") },
      only: { type: "string", multiple: true },
      draft: { type: "boolean", default: false },
      image: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const { only, out, draft } = values;
  const targets = releaseTargets.filter(({ name }) => only === undefined || only.includes(name));
  if (targets.length === 0) throw new Error(`--only: choose among ${USAGE}`);
  const known = committed();
  if (known === undefined) throw new Error("A release is built in the repository, with git.");
  if (!draft && known.commit.endsWith("-changed")) {
    throw new Error("Files are not committed. Commit them, or pass --draft.");
  }
  const { version } = manifest;
  const changelog = await Bun.file(join(ROOT, "CHANGELOG.md")).text();
  const date = draft ? known.at.slice(0, 10) : releaseNotes(changelog, version).date;
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await writeRelease({ version, ...known, date, targets, out });
  if (values.image) await buildImage(version, known);
  console.log(await Bun.file(join(out, "SHA256SUMS")).text());
}

await main().catch((error: unknown) => {
  console.error(`scripts/release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
