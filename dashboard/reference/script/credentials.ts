import { all, element, one } from "./element.ts";
import {
  environmentOf,
  hintOn,
  keyInFragment,
  pastedKey,
  shownKey,
  type EnvironmentName,
} from "./key.ts";

/** Whom requests are sent as, and where to. */
export interface Credentials {
  /** A secret; empty where none was given. Held by this page alone, and by nothing that outlives it. */
  readonly key: string;
  readonly environment: EnvironmentName;
  /** Address of the API, `/v1` included. */
  readonly server: string;
}

/** Lets a key be pasted and an environment be chosen; `onChange` hears of both, and once at the beginning. */
export function watchCredentials(onChange: (credentials: Credentials) => void): () => Credentials {
  const input = one("#key", HTMLInputElement);
  const hint = one("#key-hint", HTMLElement);
  const show = one(".credentials .show", HTMLButtonElement);
  const environments = all("input[name=environment]", HTMLInputElement);

  const current = (): Credentials => {
    const chosen = environments.find(({ checked }) => checked);
    const environment = chosen?.value === "Production" ? "Production" : "Staging";
    return { key: pastedKey(input.value), environment, server: chosen?.dataset["server"] ?? "" };
  };
  const changed = (): void => {
    const credentials = current();
    hint.textContent = hintOn(credentials.key, credentials.environment);
    for (const button of all(".credentials-state", HTMLButtonElement)) {
      button.replaceChildren(credentials.environment, element("span", {}, keyWords(credentials)));
      button.hidden = false;
    }
    onChange(credentials);
  };
  const take = (key: string): void => {
    input.value = key;
    const environment = environmentOf(key);
    for (const choice of environments) {
      if (environment !== undefined) choice.checked = choice.value === environment;
    }
    changed();
  };
  const takeFragment = (): void => {
    const key = keyInFragment(location.hash);
    if (key === undefined) return;
    // Before anything else: an address is remembered, shown and passed on.
    history.replaceState(history.state, "", location.pathname + location.search);
    take(key);
  };

  input.addEventListener("input", () => take(input.value));
  for (const choice of environments) choice.addEventListener("change", changed);
  show.addEventListener("click", () => {
    const shown = input.classList.toggle("secret");
    show.setAttribute("aria-pressed", String(!shown));
  });
  window.addEventListener("hashchange", takeFragment);
  // Some browsers bring back what was typed before a reload.
  input.value = "";
  takeFragment();
  changed();
  return current;
}

function keyWords({ key }: Credentials): string {
  return ` · ${key === "" ? "no key yet" : shownKey(key)}`;
}
