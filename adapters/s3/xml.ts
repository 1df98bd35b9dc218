/**
 * Returns the contents of all elements with a name. The documents of S3 nest no element in one of the same name. Reads each
 * character once, whatever the document is.
 */
export function elementsIn(xml: string, name: string): readonly string[] {
  const found: string[] = [];
  const end = `</${name}>`;
  for (let at = xml.indexOf(`<${name}`); at !== -1; at = xml.indexOf(`<${name}`, at)) {
    const after = at + 1 + name.length;
    const opened = xml.indexOf(">", after);
    if (opened === -1) break;
    at = after;
    // Another element, whose name begins with this one; or one with attributes.
    if (opened !== after && xml[after] !== " ") continue;
    const closed = xml.indexOf(end, opened);
    if (closed === -1) break;
    found.push(xml.slice(opened + 1, closed));
    at = closed + end.length;
  }
  return found;
}

/** Returns the text of the first element with a name. */
export function textIn(xml: string, name: string): string | undefined {
  const [content] = elementsIn(xml, name);
  return content?.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi,
    (whole, decimal, hexadecimal, named) => {
      if (named !== undefined) return NAMED[named] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
    },
  );
}

const LAST_CODE_POINT = 0x10_ffff;

const NAMED: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

/** Returns a text as the content of an element. */
export function escaped(text: string): string {
  return text.replaceAll(
    /[&<>]/g,
    (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[one] ?? one,
  );
}

/**
 * Returns what decodes the keys in a document. Keys can contain characters that XML cannot; a server that escapes them says
 * so. The decoder returns undefined for a key that is not escaped as it should be.
 */
export function keyDecoder(xml: string): (key: string) => string | undefined {
  if (textIn(xml, "EncodingType") !== "url") return (key) => key;
  return (key) => {
    try {
      return decodeURIComponent(key.replaceAll("+", " "));
    } catch {
      return undefined;
    }
  };
}
