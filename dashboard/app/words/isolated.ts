import { typed } from "./typed.ts";

// Right-to-left letters, and marks that force a direction on the text after them.
const TURNING =
  /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const FORCING = /[\u202A-\u202E]/gu;
const BRACKETS = /[\u2066-\u2069]/gu;
const OPENING = "\u2068";
const OPENING_LTR = "\u2066";
// The labels of a domain keep their order, whatever their script.
const DOMAIN = /^[^\s.]+(?:\.[^\s.]+)+\.?$/;
const CLOSING = "\u2069";

/**
 * Isolates a user's text for use in a sentence, so that its direction does not affect the words around it. Removes
 * marks that force a direction, with which one text could pass for another.
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

/** Wraps a catalogue so that its sentences isolate every text put into them, and write commands as they are typed. */
export function prepared<Words>(catalogue: Words): Words {
  // `wrapped` keeps the shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return wrapped(catalogue) as Words;
}

function wrapped(part: unknown): unknown {
  if (typeof part === "string") return typed(part);
  if (typeof part === "function") {
    return (...given: readonly unknown[]): unknown => wrapped(part(...given.map(put)));
  }
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(wrapped);
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, wrapped(one)]));
}

function put(given: unknown): unknown {
  return typeof given === "string" ? isolated(given) : given;
}
