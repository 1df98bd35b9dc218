import { asCurl, type Call } from "../model/call.ts";
import { copy } from "./copy.ts";
import type { Credentials } from "./credentials.ts";
import { all, element, one } from "./element.ts";
import { outcomeView } from "./outcome-view.ts";
import { callOf, faultOfJson, missingIn, type Filled, type Form } from "./request.ts";
import { send } from "./send.ts";

/** What a panel needs of the page around it. */
export interface Surroundings {
  readonly credentials: () => Credentials;
  /** Opens the place where a key is pasted. */
  readonly askForKey: () => void;
  readonly help: string;
}

/** Brings one form to life. */
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
  /** The request; undefined, and the reason is said, while something is missing. */
  const asked = (): Call | undefined => {
    const typed = typedIn(form, around.credentials().server, body?.value);
    const missing = missingIn(typed);
    if (missing.length === 0) return callOf(typed);
    say(`${missing.join(", ")} is needed for the address.`);
    form.querySelector<HTMLElement>(`[name="${missing[0]}"]`)?.focus();
    return undefined;
  };
  const run = async (): Promise<void> => {
    if (under !== undefined) return;
    const { key } = around.credentials();
    if (key === "") {
      say("A key is needed. Paste one, then send again.");
      around.askForKey();
      return;
    }
    const call = asked();
    if (call === undefined) return;
    const mine = new AbortController();
    under = mine;
    // Not disabled, which would take the focus away from who pressed it.
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
      void copy(asCurl(call), event.currentTarget);
    }
  });
  body?.addEventListener("input", () => {
    const fault = faultOfJson(body.value);
    one(".fault", HTMLElement, panel).textContent =
      fault === undefined ? "" : `Not JSON yet: ${fault}`;
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
