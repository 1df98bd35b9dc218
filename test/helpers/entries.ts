import manifest from "../../package.json";

/** A subpath of the package, as `petstore/node`, and the source file behind it. */
export interface Entry {
  readonly name: string;
  readonly source: string;
}

/** Returns the public entries of the package that are code, as `exports` of package.json orders them. */
export function publicEntries(): readonly Entry[] {
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const source = target.types.replace("./dist/npm/", "").replace(/\.d\.ts$/, ".ts");
    return [{ name: subpath.replace(".", manifest.name), source }];
  });
}
