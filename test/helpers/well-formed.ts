/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own text and that of its descendants. */
  readonly text: string;
}

type Open = { -readonly [Member in keyof Element]: Element[Member] } & { children: Element[] };

const TOKEN = /<\?[^?]*\?>|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|[^<]+/gy;

/** Reads XML as strictly as its grammar asks for what we write; throws at what is not well-formed. */
export function wellFormed(xml: string): Element {
  const root: Open = { name: "", attributes: {}, children: [], text: "" };
  const open: Open[] = [root];
  let end = 0;
  for (const token of xml.matchAll(TOKEN)) {
    end = token.index + token[0].length;
    const [whole, slash, name, attributes = "", selfClosing] = token;
    const top = open.at(-1) ?? root;
    if (whole.startsWith("<?")) continue;
    if (name === undefined) {
      for (const one of open) one.text += unescaped(whole);
    } else if (slash === "/") {
      if (top.name !== name) throw new Error(`</${name}> closes <${top.name}>`);
      open.pop();
    } else {
      const element: Open = { name, attributes: read(attributes), children: [], text: "" };
      top.children.push(element);
      if (selfClosing !== "/") open.push(element);
    }
  }
  const [only, ...others] = root.children;
  if (end !== xml.length) throw new Error(`stuck at ${xml.slice(end, end + 60)}`);
  if (open.length > 1 || only === undefined || others.length > 0)
    throw new Error("not one element");
  return only;
}

/** All elements of that name below, in the order of the document. */
export function all(element: Element, name: string): readonly Element[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...all(child, name),
  ]);
}

function read(attributes: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [, name = "", value = ""] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    if (name in found) throw new Error(`${name} is there twice`);
    found[name] = unescaped(value);
  }
  return found;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

function unescaped(text: string): string {
  return text.replaceAll(/&([^;]*;)?/g, (_, name: string | undefined) => {
    const character = entities[name?.slice(0, -1) ?? ""];
    if (character === undefined) throw new Error(`an ampersand stands alone in ${text}`);
    return character;
  });
}
