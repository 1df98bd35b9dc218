import { systemClock } from "../../../lib/base/clock.ts";

type Content = Node | string | false | undefined;

/** Creates an element with its content. Strings become text nodes. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content.filter((part) => part !== undefined && part !== false));
  return made;
}

/** Finds the elements of a kind that match a selector. */
export function all<Found extends Element>(
  selector: string,
  kind: abstract new () => Found,
  within: ParentNode = document,
): readonly Found[] {
  const isOne = (found: Element): found is Found => found instanceof kind;
  return [...within.querySelectorAll(selector)].filter(isOne);
}

/** Finds the first match; throws when the page has none, because then page and script do not fit together. */
export function one<Found extends Element>(
  selector: string,
  kind: abstract new () => Found,
  within: ParentNode = document,
): Found {
  const [found] = all(selector, kind, within);
  if (found === undefined) throw new Error(`The page has no ${selector}.`);
  return found;
}

const SHOWN_MS = 1_500;

/** Copies a text and confirms it on the button. Without HTTPS browsers refuse, which the button reports. */
export async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const label = button.dataset["label"] ?? button.textContent;
  button.dataset["label"] = label;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy failed";
  }
  await systemClock.sleep(SHOWN_MS);
  button.textContent = label;
}
