import type { Chance } from "../../helpers/chance.ts";

/** Small writers for generators: an input is written from front to back. */
export const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-";
export const VISIBLE =
  " !#$&'()*+-./0123456789:<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/** Returns up to `most` characters of an alphabet, at least `least`. */
export function textOf(random: Chance, alphabet: string, least: number, most: number): string {
  let text = "";
  for (let left = random.between(least, most); left > 0; left--) {
    text += alphabet[random.between(0, alphabet.length - 1)];
  }
  return text;
}

/** Returns `least` to `most` items. */
export function listOf<Item>(
  least: number,
  most: number,
  random: Chance,
  item: () => Item,
): Item[] {
  return Array.from({ length: random.between(least, most) }, item);
}

export function hostName(random: Chance): string {
  return listOf(1, 4, random, () => textOf(random, LETTERS, 1, 12)).join(".");
}

export function bytesOf(random: Chance, least: number, most: number): number[] {
  return listOf(least, most, random, () => random.between(0, 255));
}

/** Bytes with their length before them, in `size` bytes; now and then, the length lies. */
export function vector(random: Chance, size: number, bytes: readonly number[]): number[] {
  const length = random.true(0.97)
    ? bytes.length
    : random.pick([0, 1, bytes.length + 1, bytes.length - 1, 255, 65_535, 2 ** 24 - 1]);
  return [...numberIn(size, length), ...bytes];
}

export function numberIn(size: number, value: number): number[] {
  return Array.from(
    { length: size },
    (_, index) => Math.floor(value / 256 ** (size - 1 - index)) & 255,
  );
}

export function latin1(text: string): number[] {
  return [...Buffer.from(text, "latin1")];
}

/** Some parts of a header, between commas. */
export function commaList(random: Chance, most: number, item: () => string): string {
  return listOf(1, most, random, item).join(random.pick([",", ", ", " , "]));
}

/** Splits bytes as a network may: the first byte decides how. */
export function* chunksOf(bytes: Uint8Array): Generator<Buffer> {
  const size = [bytes.length, 1, 7, 100][(bytes[0] ?? 0) % 4] ?? 1;
  const step = Math.max(1, bytes.length > 2_000 ? Math.max(size, 500) : size);
  for (let at = 0; at < bytes.length; at += step) yield Buffer.from(bytes.subarray(at, at + step));
}
