type Content = Node | string | false | undefined;

/** An element of the page with what is in it; text stays text. */
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

/** The elements that the page is known to have. */
export function all<Found extends Element>(
  selector: string,
  kind: abstract new () => Found,
  within: ParentNode = document,
): readonly Found[] {
  const isOne = (found: Element): found is Found => found instanceof kind;
  return [...within.querySelectorAll(selector)].filter(isOne);
}

/** The one of them that the page is known to have; throws where it has none, for then page and script do not belong together. */
export function one<Found extends Element>(
  selector: string,
  kind: abstract new () => Found,
  within: ParentNode = document,
): Found {
  const [found] = all(selector, kind, within);
  if (found === undefined) throw new Error(`The page has no ${selector}.`);
  return found;
}
