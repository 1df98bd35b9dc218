import { all, element, one } from "./dom.ts";

/** The key or management token, and the destination of requests. */
export interface Credentials {
  /** A secret, or empty. Kept only in the memory of this page. */
  readonly key: string;
  readonly environment: EnvironmentName;
  /** Address of the API, including its path. */
  readonly server: string;
}

/** Connects the inputs for key and environment. Calls `onChange` at once and on every change. */
export function watchCredentials(onChange: (credentials: Credentials) => void): () => Credentials {
  const input = one("#key", HTMLInputElement);
  const hint = one("#key-hint", HTMLElement);
  const show = one(".credentials .show", HTMLButtonElement);
  const environments = all("input[name=environment]", HTMLInputElement);
  // The dialog of the management API offers no environments, but has the address itself.
  const { server: only } = one("#credentials", HTMLElement).dataset;

  const current = (): Credentials => {
    const key = pastedKey(input.value);
    if (only !== undefined) return { key, environment: "Management", server: only };
    const chosen = environments.find(({ checked }) => checked);
    const environment = chosen?.value === "Production" ? "Production" : "Staging";
    return { key, environment, server: chosen?.dataset["server"] ?? "" };
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
    const key = only === undefined ? keyInFragment(location.hash) : undefined;
    if (key === undefined) return;
    // First remove the key from the address, which browsers show and store.
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
  // Some browsers restore inputs after a reload.
  input.value = "";
  takeFragment();
  changed();
  return current;
}

function keyWords({ key, environment }: Credentials): string {
  const missing = environment === "Management" ? "no token yet" : "no key yet";
  return ` · ${key === "" ? missing : shownKey(key)}`;
}

type EnvironmentName = "Production" | "Staging" | "Management";

/** Longer than any key. */
const MAX_KEY_LENGTH = 256;

/** Reads the key after `#key=` in the address; undefined without one. */
export function keyInFragment(hash: string): string | undefined {
  const written = /^#key=([^&]*)/.exec(hash)?.[1];
  if (written === undefined || written.length > MAX_KEY_LENGTH) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    // Malformed, so not a key.
    return undefined;
  }
}

/** Removes blanks, quotes and the scheme's name from a pasted key. */
export function pastedKey(text: string): string {
  return text
    .slice(0, MAX_KEY_LENGTH)
    .trim()
    .replace(/^Bearer\s+/i, "")
    .replaceAll(/^["']|["']$/g, "");
}

/** Returns the environment in the key's prefix. */
export function environmentOf(key: string): EnvironmentName | undefined {
  if (key.startsWith("pet_live_")) return "Production";
  if (key.startsWith("pet_manage_")) return "Management";
  return key.startsWith("pet_test_") ? "Staging" : undefined;
}

/** Shortens a key so that it is recognizable but useless. */
export function shownKey(key: string): string {
  return (
    /^pet_(?:live|test|manage)_[A-Za-z0-9]{1,4}/.exec(key)?.[0].concat("…") ?? "unrecognized key"
  );
}

/** Returns a hint when a key does not fit the environment, else an empty text. */
export function hintOn(key: string, environment: EnvironmentName): string {
  if (key === "") return "";
  const own = environmentOf(key);
  if (environment === "Management") {
    return own === environment ? "" : "Management tokens begin with pet_manage_.";
  }
  if (own === undefined || own === "Management") {
    return "API keys begin with pet_live_ or pet_test_.";
  }
  return own === environment ? "" : `This key belongs to ${own}; ${environment} refuses it.`;
}
