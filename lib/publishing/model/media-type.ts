/** A media type, and whether files of it become smaller by compression. */
export interface MediaType {
  /** With its charset where it is text. */
  readonly type: string;
  readonly compresses: boolean;
}

const text = (type: string): MediaType => ({ type: `${type}; charset=utf-8`, compresses: true });
const loose = (type: string): MediaType => ({ type, compresses: true });
const packed = (type: string): MediaType => ({ type, compresses: false });

const unknown: MediaType = packed("application/octet-stream");

/** By extension: the registered types (IANA), and what browsers expect where several are in use. */
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
    // JSON is UTF-8 without saying so (RFC 8259 §8.1).
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

/** What a file is, by its name. Without a known extension it is bytes, which a browser offers to save. */
export function mediaType(path: string): MediaType {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return (dot === -1 ? undefined : types.get(name.slice(dot + 1).toLowerCase())) ?? unknown;
}
