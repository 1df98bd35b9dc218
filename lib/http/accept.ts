/** What the client wants to read: JSON, problem details (RFC 9457) where there is a choice, or neither. */
export type Wanted = "json" | "problem" | "none";

/** Reads `Accept` (RFC 9110 §12.5.1). Quality counts only as zero or not: there is one format to give. */
export function wantedType(accept: string | null): Wanted {
  if (accept === null || accept === "*/*" || accept === "application/json") return "json";
  // Beyond that it is no list of media types but an attempt to keep us busy.
  const ranges = accept.slice(0, 2_000).toLowerCase().split(",");
  let wildcard: number | undefined;
  let application: number | undefined;
  let exactJson: number | undefined;
  let exactProblem = 0;
  for (const range of ranges) {
    const [type = "", ...rest] = range.split(";").map((part) => part.trim());
    const weight = rest.find((part) => part.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    const value = Number.isFinite(quality) ? quality : 0;
    if (type === "*/*") wildcard = value;
    else if (type === "application/*") application = value;
    else if (type === "application/json") exactJson = value;
    else if (type === "application/problem+json") exactProblem = value;
  }
  const json = exactJson ?? application ?? wildcard ?? 0;
  // Whoever refuses JSON by name is not served by a wildcard: there is nothing else to give.
  if (json <= 0 && exactProblem <= 0) return "none";
  return exactProblem > 0 && exactProblem >= json ? "problem" : "json";
}
