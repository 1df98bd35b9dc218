import { asCurl, type Call } from "../model/call.ts";
import type { Credentials } from "./credentials.ts";
import { copy, all, element, one } from "./dom.ts";
import { outcomeView } from "./outcome-view.ts";
import { callOf, faultOfJson, missingIn, type Filled, type Form, send } from "./request.ts";

/** The parts of the page that a panel uses. */
export interface Surroundings {
  readonly credentials: () => Credentials;
  /** Opens the key dialog. */
  readonly askForKey: () => void;
  readonly help: string;
  /** The environment variable with the credential in samples. */
  readonly secret: NonNullable<Call["secret"]>;
}

/** Activates a try-it panel. */
export function openPanel(panel: HTMLDetailsElement, around: Surroundings): void {
  const form = one("form", HTMLFormElement, panel);
  const result = one(".result", HTMLElement, panel);
  const sendButton = one(".send", HTMLButtonElement, panel);
  const cancelButton = one(".cancel", HTMLButtonElement, panel);
  const [body] = all("textarea", HTMLTextAreaElement, panel);
  let under: AbortController | undefined;

  const say = (text: string): void => {
    result.replaceChildren(element("p", { class: "said bad" }, text));
  };
  /** Returns the request; reports missing parameters and returns undefined. */
  const asked = (): Call | undefined => {
    const typed = typedIn(form, around.credentials().server, body?.value);
    const missing = missingIn(typed);
    if (missing.length === 0) return callOf(typed);
    say(`Enter ${missing.join(", ")}.`);
    form.querySelector<HTMLElement>(`[name="${missing[0]}"]`)?.focus();
    return undefined;
  };
  const run = async (): Promise<void> => {
    if (under !== undefined) return;
    const { key } = around.credentials();
    if (key === "") {
      const what = around.secret === "PETSTORE_KEY" ? "an API key" : "a management token";
      say(`Paste ${what} first, then send again.`);
      around.askForKey();
      return;
    }
    const call = asked();
    if (call === undefined) return;
    const mine = new AbortController();
    under = mine;
    // `disabled` would take the focus away.
    sendButton.setAttribute("aria-disabled", "true");
    cancelButton.hidden = false;
    result.setAttribute("aria-busy", "true");
    const outcome = await send(call, { key, signal: mine.signal, now: () => performance.now() });
    under = undefined;
    sendButton.removeAttribute("aria-disabled");
    if (document.activeElement === cancelButton) sendButton.focus();
    cancelButton.hidden = true;
    result.removeAttribute("aria-busy");
    const nowSeconds = Math.floor((performance.timeOrigin + performance.now()) / 1_000);
    result.replaceChildren(...outcomeView(outcome, { nowSeconds, help: around.help }));
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void run();
  });
  cancelButton.addEventListener("click", () => under?.abort());
  one(".curl", HTMLButtonElement, panel).addEventListener("click", (event) => {
    const call = asked();
    if (call !== undefined && event.currentTarget instanceof HTMLButtonElement) {
      void copy(asCurl({ ...call, secret: around.secret }), event.currentTarget);
    }
  });
  body?.addEventListener("input", () => {
    const fault = faultOfJson(body.value);
    one(".fault", HTMLElement, panel).textContent =
      fault === undefined ? "" : `Invalid JSON: ${fault}`;
  });
  panel.hidden = false;
}

function typedIn(form: HTMLFormElement, server: string, body: string | undefined): Form {
  const { method = "GET", path = "" } = form.dataset;
  const fields = [
    ...all("input[data-in]", HTMLInputElement, form),
    ...all("select[data-in]", HTMLSelectElement, form),
  ].map((input) => ({ name: input.name, in: placeOf(input), value: input.value.trim() }));
  return { method, path, server, fields, ...(body === undefined ? {} : { body }) };
}

function placeOf({ dataset }: HTMLElement): Filled["in"] {
  const place = dataset["in"];
  return place === "path" || place === "header" ? place : "query";
}
