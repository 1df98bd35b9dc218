import { expect, test } from "bun:test";

import lock from "../../package-lock.json";
import manifest from "../../package.json";

const ROOT = new URL("../../", import.meta.url).pathname;
const STATED = manifest.engines.node;
/** The lowest version of each range, and newer ones. */
const VERSIONS = ["20.19.0", "20.20.2", "22.12.0", "22.21.0", "24.0.0"];

interface Locked {
  readonly engines?: { readonly node?: string } | readonly string[];
  readonly optional?: boolean;
}

test("no installed package warns of a Node version that package.json admits", () => {
  const warned = Object.entries(lock.packages as Readonly<Record<string, Locked>>).flatMap(
    ([path, { engines, optional }]) => {
      if (optional === true || engines === undefined || !("node" in engines)) return [];
      const { node = "*" } = engines;
      return VERSIONS.filter((version) => !Bun.semver.satisfies(version, node)).map(
        (version) => `${path} asks for ${node}, not ${version}`,
      );
    },
  );
  expect(warned).toEqual([]);
  expect(VERSIONS.filter((version) => !Bun.semver.satisfies(version, STATED))).toEqual([]);
  expect(Bun.semver.satisfies("20.18.9", STATED)).toBe(false);
  expect(lock.packages[""].engines.node).toBe(STATED);
});

test.each(["README.md", "CONTRIBUTING.md", "docs/embedding.md"])(
  "%s names the Node versions of package.json",
  async (file) => {
    expect(STATED).toBe("^20.19.0 || >=22.12.0");
    expect(await Bun.file(`${ROOT}${file}`).text()).toContain(
      "Node 20.19 or later 20.x, or Node 22.12 or newer",
    );
  },
);
