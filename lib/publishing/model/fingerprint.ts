/**
 * Whether the file's name holds a hash of its content, as `app.3f9a2c1b.js` and `index-BxYz12_q.css` do, so that it may
 * be kept for ever. When in doubt it does not: words, dates and sizes such as `1024x768` are none. A page never is
 * fingerprinted: people know it by its address.
 */
export function isFingerprinted(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (PAGE.test(name)) return false;
  const parts = name.split(".");
  for (let extensions = 1; extensions <= 3 && extensions < parts.length; extensions++) {
    if (!EXTENSION.test(parts[parts.length - extensions] ?? "")) return false;
    if (endsInHash(parts.slice(0, -extensions).join("."))) return true;
  }
  return false;
}

const PAGE = /\.x?html?$/i;
const EXTENSION = /^[A-Za-z][A-Za-z0-9]{0,10}$/;

/** As webpack, Parcel and most others write it. */
const HEX = /(^|[._-])([0-9a-f]{8,64})$/;
const HEX_LENGTHS: ReadonlySet<number> = new Set([8, 10, 12, 16, 20, 24, 32, 40, 64]);
/** As Vite (base64url) and esbuild (base32) write it. */
const SHORT = /[.-]([A-Za-z0-9_-]{8})$/;
const BEGINS_WITH_YEAR = /^(?:19|20)\d\d/;

function endsInHash(stem: string): boolean {
  const [, before = "", hex = ""] = HEX.exec(stem) ?? [];
  if (HEX_LENGTHS.has(hex.length) && turns(hex) >= 2) return before !== "" || hex.length >= 16;
  const [, short = ""] = SHORT.exec(stem) ?? [];
  return /\d/.test(short) && turns(short) >= 3 && !BEGINS_WITH_YEAR.test(short);
}

/** How often digits, capitals, small letters and signs take turns: in a hash often, in `birthday2024` once. */
function turns(token: string): number {
  return (token.match(/\d+|[A-Z]+|[a-z]+|[_-]+/g) ?? []).length - 1;
}
