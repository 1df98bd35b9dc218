/** A media type, and whether its files are worth compressing. */
export interface MediaType {
  /** Includes the charset for text. */
  readonly type: string;
  readonly compresses: boolean;
}

const text = (type: string): MediaType => ({ type: `${type}; charset=utf-8`, compresses: true });
const loose = (type: string): MediaType => ({ type, compresses: true });
const packed = (type: string): MediaType => ({ type, compresses: false });

const unknown: MediaType = packed("application/octet-stream");

/** Media types by extension: the one registered with IANA or, if several are in use, the one browsers expect. */
const types: ReadonlyMap<string, MediaType> = new Map(
  Object.entries({
    html: text("text/html"),
    htm: text("text/html"),
    xhtml: text("application/xhtml+xml"),
    css: text("text/css"),
    js: text("text/javascript"),
    mjs: text("text/javascript"),
    txt: text("text/plain"),
    md: text("text/markdown"),
    csv: text("text/csv"),
    tsv: text("text/tab-separated-values"),
    ics: text("text/calendar"),
    vcf: text("text/vcard"),
    vtt: text("text/vtt"),
    xml: text("application/xml"),
    xsl: text("application/xml"),
    rss: text("application/rss+xml"),
    atom: text("application/atom+xml"),
    // JSON is always UTF-8 (RFC 8259 §8.1).
    json: loose("application/json"),
    map: loose("application/json"),
    jsonld: loose("application/ld+json"),
    geojson: loose("application/geo+json"),
    webmanifest: loose("application/manifest+json"),
    wasm: loose("application/wasm"),
    pdf: packed("application/pdf"),
    epub: packed("application/epub+zip"),
    zip: packed("application/zip"),
    gz: packed("application/gzip"),
    tgz: packed("application/gzip"),
    rtf: loose("application/rtf"),
    doc: loose("application/msword"),
    docx: packed("application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    xlsx: packed("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    odt: packed("application/vnd.oasis.opendocument.text"),
    ods: packed("application/vnd.oasis.opendocument.spreadsheet"),
    svg: text("image/svg+xml"),
    png: packed("image/png"),
    jpg: packed("image/jpeg"),
    jpeg: packed("image/jpeg"),
    gif: packed("image/gif"),
    webp: packed("image/webp"),
    avif: packed("image/avif"),
    jxl: packed("image/jxl"),
    heic: packed("image/heic"),
    heif: packed("image/heif"),
    ico: loose("image/vnd.microsoft.icon"),
    bmp: loose("image/bmp"),
    tif: packed("image/tiff"),
    tiff: packed("image/tiff"),
    woff: packed("font/woff"),
    woff2: packed("font/woff2"),
    ttf: loose("font/ttf"),
    otf: loose("font/otf"),
    mp3: packed("audio/mpeg"),
    m4a: packed("audio/mp4"),
    aac: packed("audio/aac"),
    ogg: packed("audio/ogg"),
    oga: packed("audio/ogg"),
    opus: packed("audio/ogg"),
    wav: loose("audio/wav"),
    flac: packed("audio/flac"),
    mp4: packed("video/mp4"),
    m4v: packed("video/mp4"),
    webm: packed("video/webm"),
    ogv: packed("video/ogg"),
    mov: packed("video/quicktime"),
  }),
);

/** Returns the media type for a file's name. Unknown extensions give `application/octet-stream`, which browsers offer to save. */
export function mediaType(path: string): MediaType {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return (dot === -1 ? undefined : types.get(name.slice(dot + 1).toLowerCase())) ?? unknown;
}

/**
 * Returns whether the file's name contains a hash of its content, like `app.3f9a2c1b.js` and `index-BxYz12_q.css`, so that
 * clients may cache it forever. Returns false if in doubt: for words, dates and sizes such as `1024x768`, and for
 * pages, whose addresses people know.
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

/** The format of webpack, Parcel and most other bundlers. */
const HEX = /(^|[._-])([0-9a-f]{8,64})$/;
const HEX_LENGTHS: ReadonlySet<number> = new Set([8, 10, 12, 16, 20, 24, 32, 40, 64]);
/** The format of Vite (base64url) and esbuild (base32). */
const SHORT = /[.-]([A-Za-z0-9_-]{8})$/;
const BEGINS_WITH_YEAR = /^(?:19|20)\d\d/;

function endsInHash(stem: string): boolean {
  const [, before = "", hex = ""] = HEX.exec(stem) ?? [];
  if (HEX_LENGTHS.has(hex.length) && turns(hex) >= 2) return before !== "" || hex.length >= 16;
  const [, short = ""] = SHORT.exec(stem) ?? [];
  return /\d/.test(short) && turns(short) >= 3 && !BEGINS_WITH_YEAR.test(short);
}

/** Counts the changes between digits, capitals, small letters and signs: many in a hash, one in `birthday2024`. */
function turns(token: string): number {
  return (token.match(/\d+|[A-Z]+|[a-z]+|[_-]+/g) ?? []).length - 1;
}
