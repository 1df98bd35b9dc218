import { tokensOf } from "../model/tokens.ts";
import { element } from "./dom.ts";
import type { Outcome } from "./request.ts";

/** Longer bodies are cut. */
const MAX_SHOWN = 200_000;

/** Longer bodies are not highlighted, which would create too many elements. */
const MAX_COLOURED = 20_000;

export interface OutcomeOptions {
  readonly nowSeconds: number;
  /** Prefix of an error code's help address. */
  readonly help: string;
}

/** Renders the outcome of a request. */
export function outcomeView(
  outcome: Outcome,
  { nowSeconds, help }: OutcomeOptions,
): readonly Node[] {
  switch (outcome.kind) {
    case "cancelled":
      return [
        element("p", { class: "said" }, "Cancelled. The server may have processed the request."),
      ];
    case "unsendable":
      return [
        element(
          "p",
          { class: "said bad" },
          "The request cannot be sent: a header contains invalid characters.",
        ),
      ];
    case "unreachable":
      return [
        element(
          "p",
          { class: "said bad" },
          "No response. The server is unreachable, or something between you and the server blocked the request. ",
          "Check whether its address opens in another tab, then try again.",
        ),
      ];
    case "answered":
      return answeredView(outcome, { nowSeconds, help });
  }
}

function answeredView(
  { status, headers, text, ms }: Extract<Outcome, { readonly kind: "answered" }>,
  { nowSeconds, help }: OutcomeOptions,
): readonly Node[] {
  const kind = status < 300 ? "good" : status < 400 ? "same" : "refused";
  const code = status < 400 ? undefined : codeIn(text);
  const limits = limitWords(headers, nowSeconds);
  return [
    element(
      "p",
      { class: `status ${kind}` },
      element("b", {}, String(status)),
      ` ${Math.round(ms)} ms · ${sizeWords(text)}`,
    ),
    ...(code === undefined
      ? []
      : [
          element(
            "p",
            { class: "said" },
            element("a", { href: help + code, target: "_blank", rel: "noopener" }, `About ${code}`),
          ),
        ]),
    ...(limits.length === 0 ? [] : [element("p", { class: "limits" }, limits.join(" · "))]),
    ...(text === "" ? [] : [bodyView(text)]),
    headersView(headers),
  ];
}

function bodyView(text: string): HTMLElement {
  const shown = indented(text);
  const cut = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n…` : shown;
  return element(
    "pre",
    { tabindex: "0", role: "group", "aria-label": "Response body" },
    element("code", {}, ...(cut.length > MAX_COLOURED ? [cut] : coloured(cut))),
  );
}

function coloured(source: string): readonly (Node | string)[] {
  return tokensOf(source).map(({ kind, text }) =>
    kind === undefined ? text : element("i", { class: kind }, text),
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Returns the code of an Error body. */
export function codeIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const code =
      typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
    return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

function sizeWords(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`;
}

type Fields = readonly (readonly [name: string, value: string])[];

/** Describes the rate limits in a response's headers. `nowSeconds` is the local time. */
export function limitWords(headers: Fields, nowSeconds: number): readonly string[] {
  const read = (name: string): number | undefined => {
    const value = headers.find(([field]) => field.toLowerCase() === name)?.[1];
    return value === undefined || value === "" ? undefined : Number(value);
  };
  const [limit, remaining, reset, wait] = [
    read("x-ratelimit-limit"),
    read("x-ratelimit-remaining"),
    read("x-ratelimit-reset"),
    read("retry-after"),
  ];
  return [
    ...(limit === undefined || remaining === undefined
      ? []
      : [`${remaining} of ${limit} requests remain`]),
    ...(reset === undefined ? [] : [`resets in ${secondsWords(reset - nowSeconds)}`]),
    ...(wait === undefined ? [] : [`try again in ${secondsWords(wait)}`]),
  ];
}

/** Formats a duration with a useful precision. */
export function secondsWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.ceil(minutes / 60)} h`;
}

/** All headers in a collapsed list, rate limits first. */
function headersView(headers: Fields): HTMLElement {
  const rows = headers
    .toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
    .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element(
    "details",
    { class: "sent" },
    element("summary", {}, `Headers (${headers.length})`),
    element("dl", {}, ...rows),
  );
}

/** Sorts rate limit headers first. */
function rank(name: string): number {
  return /^(x-)?ratelimit|^retry-after/i.test(name) ? 0 : 1;
}
