import { chance, type Chance } from "../../helpers/chance.ts";
import seeds from "../seeds.json" with { type: "json" };
import { mutatedBytes, mutatedText, stretchedBytes, stretchedText, type Pair } from "./mutate.ts";

/** What a decoder is given. */
export type Input = Uint8Array | string;

/** A row of the table: a decoder of ours that a stranger feeds. */
export interface Row<In extends Input> {
  readonly name: string;
  /** The file of the decoder. */
  readonly file: string;
  /** Makes an input from its grammar, most of which the decoder accepts. */
  readonly valid: (chance: Chance) => In;
  /** Undefined or false: the decoder refused the input. May return a promise. */
  readonly decode: (input: In) => unknown;
  /** Whether an exception is the decoder's declared way to refuse. Default: it throws none. */
  readonly refuses?: (error: unknown) => boolean;
  /** The longest input that its caller passes, in bytes or characters. */
  readonly longest: number;
  /** Inputs of the short form. Default 100,000; the long form has a hundred times as many. */
  readonly inputs?: number;
  /** Long inputs of the short form, each decoded in two sizes. Default 60. */
  readonly stretches?: number;
  /** Microseconds for each byte or character, besides 10 milliseconds. Default 2. */
  readonly perByteUs?: number;
  /** Brackets that nest, for texts. */
  readonly nests?: readonly Pair[];
  /** Inputs of about `size`, made to be slow; decoded in two sizes before the random ones. */
  readonly extremes?: readonly ((size: number) => In)[];
}

/** A row whose inputs are numbered: the same seed and number give the same input. */
export interface Decoder extends Pick<Row<Input>, "name" | "file" | "refuses"> {
  readonly inputs: number;
  readonly stretches: number;
  readonly perByteUs: number;
  readonly longest: number;
  /** Makes an input: the recorded seeds first, then what is cut off at every byte, then mutations. */
  readonly input: (seed: number, index: number) => Input;
  readonly stretched: (seed: number, index: number, size: number) => Input;
  readonly decode: (input: Input) => unknown;
}

const RECORDED: Readonly<Record<string, readonly string[]>> = seeds;

/** Returns the seeds that were recorded for a row. */
export function recorded(name: string): readonly string[] {
  return RECORDED[name] ?? [];
}

/** A decoder of bytes. Its recorded seeds are in hexadecimal. */
export function ofBytes(row: Row<Uint8Array>): Decoder {
  return decoderOf<Uint8Array>(row, {
    read: (text) => Uint8Array.fromHex(text),
    is: (input) => input instanceof Uint8Array,
    cut: (input, length) => input.subarray(0, length),
    mutated: mutatedBytes,
    stretched: (random, size) => stretchedBytes(random, { valid: () => row.valid(random), size }),
  });
}

/**
 * Combining characters of different classes, which a normal form has to sort: in quadratic time. The half-width marks combine
 * only in NFKC and NFKD.
 */
const PILES: readonly string[] = ["\u0301\u0316", "\u0301\uFF9E", "\uFF9F\u0316"];

/** A decoder of texts. Every one gets a text of piled up combining characters. */
export function ofText(row: Row<string>): Decoder {
  const { nests = [], extremes = [] } = row;
  const piles = PILES.map((marks) => (size: number) => `a${marks.repeat(size / marks.length)}`);
  return decoderOf<string>(
    { ...row, extremes: [...extremes, ...piles] },
    {
      read: (text) => text,
      is: (input) => typeof input === "string",
      cut: (input, length) => input.slice(0, length),
      mutated: mutatedText,
      stretched: (random, size) =>
        stretchedText(random, { valid: () => row.valid(random), size, nests }),
    },
  );
}

interface Kind<In extends Input> {
  readonly read: (recorded: string) => In;
  readonly is: (input: Input) => input is In;
  readonly cut: (input: In, length: number) => In;
  readonly mutated: (chance: Chance, input: In) => In;
  readonly stretched: (chance: Chance, size: number) => In;
}

/** Examples that are cut off at every byte, besides the recorded seeds. */
const EXAMPLES = 8;
/** Inputs that are made from one: itself, and mutations of it. Making one takes longer than changing it. */
const FAMILY = 4;
/** The longest input that is cut off at every byte. */
const LONGEST_CUT = 600;

function decoderOf<In extends Input>(row: Row<In>, kind: Kind<In>): Decoder {
  const { name, file, refuses, inputs = 100_000, perByteUs = 2, longest, extremes = [] } = row;
  const stretches = extremes.length + (row.stretches ?? 60);
  const seedInputs = recorded(name).map(kind.read);
  let cutFor: number | undefined;
  let parentOf: number | undefined;
  let parent: In | undefined;
  let whole: readonly In[] = [];
  let cuts: readonly (readonly [whole: In, length: number])[] = [];
  /** The inputs that are not random: all recorded ones, and their beginnings and those of examples. */
  const fixed = (seed: number): void => {
    cutFor = seed;
    parentOf = undefined;
    const examples = Array.from({ length: EXAMPLES }, (_, index) =>
      row.valid(chance(mixed(seed, name, -index - 1))),
    );
    whole = [...seedInputs, ...examples];
    const all = whole.flatMap((one) =>
      Array.from(
        { length: Math.min(one.length, LONGEST_CUT) },
        (_, length) => [one, length] as const,
      ),
    );
    // In a mixed order, so that a decoder with few inputs meets some of each.
    const places = new Map(all.map((one, index) => [one, mixed(seed, name, index)]));
    cuts = all.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  };
  return {
    name,
    file,
    inputs,
    stretches,
    perByteUs,
    longest,
    ...(refuses && { refuses }),
    input: (seed, index) => {
      if (cutFor !== seed) fixed(seed);
      const given = whole[index];
      if (given !== undefined) return given;
      const cut = index % 2 === 0 ? cuts[(index - whole.length) >> 1] : undefined;
      if (cut !== undefined) return kind.cut(...cut);
      const family = Math.floor(index / FAMILY);
      if (parentOf !== family) {
        parentOf = family;
        const random = chance(mixed(seed, name, family));
        parent = seedInputs[random.between(0, 4 * seedInputs.length)] ?? row.valid(random);
      }
      if (parent === undefined) throw new Error(`${name} has no input`);
      // An odd one: half of the inputs may be cut off.
      if (index % FAMILY === 1) return parent;
      return kind.mutated(chance(mixed(seed, name, index)), parent);
    },
    stretched: (seed, index, size) =>
      extremes[index]?.(size) ?? kind.stretched(chance(mixed(seed, name, ~index)), size),
    decode: (input) => {
      if (!kind.is(input)) throw new TypeError("The input is of another kind.");
      return row.decode(input);
    },
  };
}

/** Mixes a seed for one input. */
function mixed(seed: number, name: string, index: number): number {
  let state = seed ^ Math.imul(index, 0x9e3779b1);
  for (let at = 0; at < name.length; at++)
    state = Math.imul(state ^ name.charCodeAt(at), 0x01000193);
  return state >>> 0;
}
