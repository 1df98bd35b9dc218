import { faultOfSlug, MAX_SLUG } from "../../../../lib/publishing/model/slug.ts";

/** Letters that are no letter of the alphabet with a mark on it. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ä: "ae",
  ö: "oe",
  ü: "ue",
};

/** The address that fits a name: `happy-tails` for “Happy Tails!”. Empty where none can be made of it. */
export function slugOf(name: string): string {
  const plain = name
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[ßæœøłđäöü]/g, (letter) => SPELLED[letter] ?? "")
    .normalize("NFD")
    .replaceAll(/[\p{M}'’]/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-");
  const slug = shortened(plain).replaceAll(/^-|-$/g, "");
  return faultOfSlug(slug) === undefined ? slug : "";
}

/** Cut between two words where that leaves the better part of it. */
function shortened(slug: string): string {
  const trimmed = slug.replace(/^-/, "");
  if (trimmed.length <= MAX_SLUG) return trimmed;
  const cut = trimmed.slice(0, MAX_SLUG);
  const end = trimmed.charAt(MAX_SLUG) === "-" ? MAX_SLUG : cut.lastIndexOf("-");
  return end > MAX_SLUG / 2 ? cut.slice(0, end) : cut;
}
