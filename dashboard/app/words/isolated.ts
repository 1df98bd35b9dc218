// Letters that are written from right to left, and marks that force a direction on what comes after them.
const TURNING =
  /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const FORCING = /[\u202A-\u202E]/gu;
const BRACKETS = /[\u2066-\u2069]/gu;
const OPENING = "\u2068";
const OPENING_LTR = "\u2066";
// The labels of a domain stand in one order everywhere, whichever way each of them is written.
const DOMAIN = /^[^\s.]+(?:\.[^\s.]+)+\.?$/;
const CLOSING = "\u2069";

/**
 * A text of somebody's, to be put into a sentence: whichever way it is written, the words around it stay where they
 * are. Marks that force a direction are left out, so that it cannot pass for another.
 */
export function isolated(text: string): string {
  if (!TURNING.test(text)) return text;
  let open = 0;
  const balanced = text.replaceAll(FORCING, "").replaceAll(BRACKETS, (mark) => {
    if (mark !== CLOSING) open++;
    else if (open === 0) return "";
    else open--;
    return mark;
  });
  return (DOMAIN.test(text) ? OPENING_LTR : OPENING) + balanced + CLOSING.repeat(open + 1);
}

/** A catalogue whose sentences isolate each text that is put into them. */
export function isolating<Words>(catalogue: Words): Words {
  // Every part is put back where it was, with what it takes and gives.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return wrapped(catalogue) as Words;
}

function wrapped(part: unknown): unknown {
  if (typeof part === "function") {
    return (...given: readonly unknown[]): unknown => part(...given.map(put));
  }
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, wrapped(one)]));
}

function put(given: unknown): unknown {
  return typeof given === "string" ? isolated(given) : given;
}
