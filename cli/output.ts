import type { Terminal } from "./terminal.ts";

/** One JSON document, for programs. */
export function writeJson(terminal: Terminal, value: unknown): Promise<void> {
  return terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}

/** Rows under their headings, in columns, for people. */
export function writeTable(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
  return terminal.out(`${lines.join("\n")}\n`);
}
