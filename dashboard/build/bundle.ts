import type { Bundle } from "../asset.ts";

/**
 * Run as a macro: what it returns stands in the program that is built, and nothing of the bundler does. A bundler
 * cannot be run within itself, so that another process makes the bundle.
 */
export function bundle(): Bundle {
  const { stdout, success } = Bun.spawnSync([process.execPath, `${import.meta.dir}/make.ts`], {
    stderr: "inherit",
  });
  if (!success) throw new Error("The dashboard could not be built.");
  // Made by make.ts of that very type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(stdout.toString()) as Bundle;
}
