import { faultOfSlug, MAX_SLUG } from "../../../../lib/publishing/model/slug.ts";

/** Letters that Unicode does not decompose into a letter and a mark. */
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

/** Derives a slug from a name: `happy-tails` from “Happy Tails!”. Empty if the name has no usable characters. */
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

/** Cuts between two words if more than half remains. */
function shortened(slug: string): string {
  const trimmed = slug.replace(/^-/, "");
  if (trimmed.length <= MAX_SLUG) return trimmed;
  const cut = trimmed.slice(0, MAX_SLUG);
  const end = trimmed.charAt(MAX_SLUG) === "-" ? MAX_SLUG : cut.lastIndexOf("-");
  return end > MAX_SLUG / 2 ? cut.slice(0, end) : cut;
}
