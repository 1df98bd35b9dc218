const BASE = 36;
const MIN_THRESHOLD = 1;
const MAX_THRESHOLD = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE_POINT = 0x80;
const LAST_CODE_POINT = 0x10_ffff;

/** The text that a label in Punycode stands for (RFC 3492 §6.2), without its `xn--`; undefined when it is none. */
export function fromPunycode(encoded: string): string | undefined {
  const end = encoded.lastIndexOf("-");
  const points = end > 0 ? Array.from(encoded.slice(0, end), codePoint) : [];
  let codePointNow = FIRST_CODE_POINT;
  let index = 0;
  let bias = FIRST_BIAS;
  for (let at = end > 0 ? end + 1 : 0; at < encoded.length;) {
    const before = index;
    for (let weight = 1, step = BASE; ; step += BASE) {
      const digit = digitOf(encoded[at++]);
      if (digit === undefined) return undefined;
      index += digit * weight;
      if (index > LAST_CODE_POINT * (points.length + 1)) return undefined;
      const threshold = Math.min(Math.max(step - bias, MIN_THRESHOLD), MAX_THRESHOLD);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = points.length + 1;
    bias = adapt(index - before, length, before === 0);
    codePointNow += Math.floor(index / length);
    index %= length;
    if (codePointNow > LAST_CODE_POINT) return undefined;
    points.splice(index++, 0, codePointNow);
  }
  return String.fromCodePoint(...points);
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? DAMP : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > ((BASE - MIN_THRESHOLD) * MAX_THRESHOLD) / 2; bias += BASE) {
    rest = Math.floor(rest / (BASE - MIN_THRESHOLD));
  }
  return bias + Math.floor(((BASE - MIN_THRESHOLD + 1) * rest) / (rest + SKEW));
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function digitOf(character: string | undefined): number | undefined {
  if (character === undefined || !/^[\da-z]$/i.test(character)) return undefined;
  const value = Number.parseInt(character, BASE);
  // Letters come first: a is 0, 0 is 26.
  return value >= 10 ? value - 10 : value + 26;
}
