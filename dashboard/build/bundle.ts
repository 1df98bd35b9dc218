import type { Bundle } from "../asset.ts";
import type { Guides } from "../guides/guides.ts";

/**
 * Runs as a macro, which embeds the result in the program without the bundler. A bundler cannot run within itself, so
 * another process makes the bundle.
 */
export function bundle(): Bundle {
  // make.ts writes this type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return outputOf("make.ts") as Bundle;
}

/** Runs as a macro, like `bundle`. */
export function bundleGuides(): Guides {
  // make-guides.ts writes this type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return outputOf("make-guides.ts") as Guides;
}

function outputOf(script: string): unknown {
  const { stdout, success } = Bun.spawnSync([process.execPath, `${import.meta.dir}/${script}`], {
    stderr: "inherit",
  });
  if (!success) throw new Error(`${script} failed.`);
  return JSON.parse(stdout.toString());
}
