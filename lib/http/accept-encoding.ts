export type Encoding = "br" | "gzip" | "identity";

/** Where the client likes two as much, the smaller one. */
const SMALLEST_FIRST: readonly Encoding[] = ["br", "gzip", "identity"];

/** More than that is no list of encodings but an attempt to keep us busy. */
const MAX_LENGTH = 500;

/**
 * The codings that `Accept-Encoding` takes, the one liked best first (RFC 9110 §12.5.3). Plain bytes come last
 * even where they are refused: who wants nothing that there is, is served what there is.
 */
export function acceptedEncodings(header: string | null): readonly Encoding[] {
  if (header === null) return ["identity"];
  const weights = weightsOf(header);
  const any = weights.get("*");
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? any ?? (encoding === "identity" ? LEAST : 0);
  const accepted = SMALLEST_FIRST.filter((encoding) => weightOf(encoding) > 0);
  // The sort is stable.
  const sorted = accepted.toSorted((a, b) => weightOf(b) - weightOf(a));
  return sorted.includes("identity") ? sorted : [...sorted, "identity"];
}

/** Tells whether a client would rather have gzip than plain bytes, where those two are what there is. */
export function likesGzip(header: string | null): boolean {
  return acceptedEncodings(header).find((encoding) => encoding !== "br") === "gzip";
}

/** Plain bytes that nobody speaks of are acceptable, and liked less than whatever is named. */
const LEAST = 0.0001;

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.slice(0, MAX_LENGTH).toLowerCase().split(",")) {
    const [written = "", ...parameters] = part.split(";").map((word) => word.trim());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf("=") + 1));
    weights.set(
      written === "x-gzip" ? "gzip" : written,
      quality >= 0 && quality <= 1 ? quality : 0,
    );
  }
  return weights;
}

/** Remembers what a few headers mean: browsers send the same few over and over. */
export function encodingReader(): (header: string | null) => readonly Encoding[] {
  const known = new Map<string, readonly Encoding[]>();
  return (header) => {
    if (header === null) return PLAIN;
    const remembered = known.get(header);
    if (remembered !== undefined) return remembered;
    const read = acceptedEncodings(header);
    if (known.size < MAX_KNOWN && header.length <= MAX_KNOWN_LENGTH) known.set(header, read);
    return read;
  };
}

const PLAIN: readonly Encoding[] = ["identity"];
const MAX_KNOWN = 100;
const MAX_KNOWN_LENGTH = 100;
