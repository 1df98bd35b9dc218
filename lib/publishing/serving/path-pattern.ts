/** Paths that a rule of the site file is for: one, or with `*` at its end all that begin so. */
export interface PathPattern {
  readonly prefix: string;
  readonly open: boolean;
}

export function pathPattern(written: string): PathPattern {
  const open = written.endsWith("*");
  return { prefix: open ? written.slice(0, -1) : written, open };
}

/** What `*` stands for; empty where there is none. Undefined: the rule is not for this path. */
export function restOf({ prefix, open }: PathPattern, path: string): string | undefined {
  if (!open) return path === prefix ? "" : undefined;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
