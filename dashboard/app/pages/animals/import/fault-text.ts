import { nearest } from "../../../../../lib/base/nearest.ts";
import type { ImportFault } from "../../../../../lib/management/pet-import.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import type { ImportingWords } from "../../../words/importing-words.ts";

/** What is wrong with a row, in the reader's words; what has none there, as the service says it. */
export function faultText(
  fault: ImportFault,
  said: ImportingWords,
  categories: readonly Category[],
): string {
  if ("fault" in fault) return said.row(fault.fault);
  const { problem, row } = fault;
  const field = /^\/([^/]+)$/.exec(problem.errors?.[0]?.pointer ?? "")?.[1] ?? "";
  const { code } = problem;
  if (code === "unknown_category") {
    const name = text(row.category ?? `#${text(row.categoryId)}`);
    const known = categories.map((one) => one.name);
    return said.unknownCategory(name, nearest(name, known));
  }
  if (code === "missing_field") return said.missing(field);
  if (code === "unknown_field") return said.unknownField(field);
  if (code !== "invalid_value") return problem.message;
  if (field === "name") return said.badName;
  return field === "status" ? said.badStatus(text(row.status)) : said.badCategory;
}

/** As many characters of a stranger's value as a line has room for. */
function text(value: unknown): string {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
}
