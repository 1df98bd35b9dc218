import { tokensOf } from "../model/tokens.ts";
import { element } from "./element.ts";
import { headersView, limitWords } from "./headers-view.ts";
import type { Outcome } from "./send.ts";

/** More than that of a body is not shown. */
const MAX_SHOWN = 200_000;

/** More than that is not coloured: each word would be an element of the page. */
const MAX_COLOURED = 20_000;

export interface OutcomeOptions {
  readonly nowSeconds: number;
  /** What stands before the code in the address of its paragraph. */
  readonly help: string;
}

/** What became of a request, for people. */
export function outcomeView(
  outcome: Outcome,
  { nowSeconds, help }: OutcomeOptions,
): readonly Node[] {
  switch (outcome.kind) {
    case "cancelled":
      return [
        element(
          "p",
          { class: "said" },
          "Cancelled. Whether the request was carried out is not known.",
        ),
      ];
    case "unsendable":
      return [
        element(
          "p",
          { class: "said bad" },
          "This cannot be sent: a header has characters that headers cannot carry.",
        ),
      ];
    case "unreachable":
      return [
        element(
          "p",
          { class: "said bad" },
          "No answer came. The server cannot be reached from here, or something between you and it stopped the request. ",
          "Look whether its address opens in another tab, then send again.",
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
            element(
              "a",
              { href: help + code, target: "_blank", rel: "noopener" },
              `What ${code} means, and what to do`,
            ),
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
    { tabindex: "0", role: "group", "aria-label": "Body of the answer" },
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

/** The code of a refusal, where the body is one of ours. */
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
