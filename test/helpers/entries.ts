import manifest from "../../package.json";

/** A subpath of the package, such as `petstore/node`, and its source file. */
export interface Entry {
  readonly name: string;
  readonly source: string;
}

/** Returns the package's public code entries, in the order of `exports` in package.json. */
export function publicEntries(): readonly Entry[] {
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const source = typesOf(target)
      .replace("./dist/npm/", "")
      .replace(/\.d\.ts$/, ".ts");
    return [{ name: subpath.replace(".", manifest.name), source }];
  });
}

/** Returns the file with the types of an entry: those of the ES module, if the one for `require` has its own. */
export function typesOf({
  types,
}: {
  readonly types: string | { readonly default: string };
}): string {
  return typeof types === "string" ? types : types.default;
}
