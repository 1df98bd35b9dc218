import type { Guides } from "../guides/guides.ts";

/** Run as a macro, as `bundle.ts` is, and for the same reasons. */
export function bundleGuides(): Guides {
  const { stdout, success } = Bun.spawnSync(
    [process.execPath, `${import.meta.dir}/make-guides.ts`],
    { stderr: "inherit" },
  );
  if (!success) throw new Error("The guides could not be built.");
  // Made by make-guides.ts of that very type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(stdout.toString()) as Guides;
}
