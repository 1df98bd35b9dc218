import type { Finding } from "../finding.ts";
import { findingCodes } from "../finding-codes.ts";
import type { Survey } from "../survey.ts";

/** How things stand in one sentence, and the one thing to do next. */
export function headlineOf(
  state: "verified" | "blocked" | "unknown" | "propagating",
  findings: readonly Finding[],
  { hostname }: Survey,
): { readonly headline: string; readonly nextAction: string } {
  const first = findings.find(({ severity }) => severity !== "ok");
  switch (state) {
    case "verified":
      return { headline: `${hostname} leads here.`, nextAction: "" };
    case "propagating":
      return {
        headline: `The record of ${hostname} is right and on its way to all servers.`,
        nextAction: "Nothing to do but wait: it is looked at again by itself.",
      };
    case "unknown":
      return {
        headline: `It could not be found out where ${hostname} leads.`,
        nextAction: "Nothing to change: it is looked at again by itself.",
      };
    case "blocked":
      return {
        headline: `${hostname}: ${first === undefined ? "something is wrong" : lowerFirst(findingCodes[first.code].title)}.`,
        nextAction: first?.fix ?? "",
      };
    default:
      return state satisfies never;
  }
}

function lowerFirst(text: string): string {
  // "CNAME" stays as it is.
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
