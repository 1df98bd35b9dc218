import type { Figure, Gap } from "./row.ts";

const HEAD = ["row", "what", "ours", "against", "theirs", "", "by CPU time", "goal", ""];
const TO_THE_RIGHT = new Set([0, 2, 4, 5, 6]);

/** Returns the table as readable Markdown. */
export function table(lines: readonly (Figure | Gap)[]): string {
  const rows = lines.map((line) => ("reason" in line ? [] : cells(line)));
  const widths = HEAD.map((name, column) =>
    Math.max(name.length, 3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const render = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(row[column] ?? "", width, column)).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    TO_THE_RIGHT.has(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  const gaps = lines.flatMap((line) =>
    "reason" in line ? [`Row ${line.row}, ${line.what}: not measured: ${line.reason}`] : [],
  );
  const body = rows.filter((row) => row.length > 0).map(render);
  return [render(HEAD), render(rule), ...body, ...(gaps.length > 0 ? ["", ...gaps] : [])].join(
    "\n",
  );
}

function cells(figure: Figure): readonly string[] {
  const { row, what, ours, against, theirs, unit, value, cpuRatio, goal, reached } = figure;
  return [
    String(row),
    what,
    quantity(ours, unit),
    against,
    quantity(theirs, unit),
    value.toFixed(value < 10 ? 2 : 0),
    cpuRatio?.toFixed(2) ?? "",
    goal,
    reached ? "reached" : "missed",
  ];
}

function quantity(value: number, unit: Figure["unit"]): string {
  const digits = unit === "µs" || unit === "s" ? 2 : unit === "ms" || unit === "MB" ? 1 : 0;
  const text = value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return unit === "/s" ? `${text}${unit}` : `${text} ${unit}`;
}

function pad(text: string, width: number, column: number): string {
  return TO_THE_RIGHT.has(column) ? text.padStart(width) : text.padEnd(width);
}
