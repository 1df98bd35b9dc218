/** What a part of the input contains of a body. */
export interface Framed {
  /** Content, possibly none. */
  readonly content: Buffer;
  /** Bytes of the input that belong to the body. */
  readonly used: number;
  /** `done`: the message is complete. `broken`: it is malformed, and where it ends is unknown. */
  readonly state: "more" | "done" | "broken";
}

/** Finds the content and the end of a body in the input of its connection. */
export interface Framing {
  /** Memory for a line that is not complete. */
  readonly held: number;
  take(input: Buffer): Framed;
}

const NOTHING = Buffer.alloc(0);

/** Reads a body of known length. */
export function sizedFraming(length: number): Framing {
  let left = length;
  return {
    held: 0,
    take: (input) => {
      const content = input.subarray(0, Math.min(left, input.length));
      left -= content.length;
      return { content, used: content.length, state: left === 0 ? "done" : "more" };
    },
  };
}

/** The longest line with the size of a chunk, and its extensions. */
const MAX_SIZE_LINE = 1_024;
/** All trailer fields together, which are read and ignored. */
const MAX_TRAILERS = 8 * 1_024;
/** Bytes of lines that any body may have, and that each byte of content adds. Others use lines as ballast. */
const MAX_LINES = 16 * 1_024;
const LINES_PER_BYTE = 16;
/** Estimated memory for a part of a line, besides its text. */
const PIECE_BYTES = 64;
/** Up to 2^48 - 1. */
const SIZE = /^([\da-f]{1,12})(?:[\t ]*;[\t\x20-\x7e\x80-\xff]*)?$/i;
const TRAILER = /^[!#$%&'*+.^_`|~\dA-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Reads a body in chunks (RFC 9112 §7.1). The message is complete only after its trailers: nothing that follows can still
 * make it malformed.
 */
export function chunkedFraming(): Framing {
  let reading: "size" | "content" | "content's end" | "trailers" = "size";
  let line = "";
  /** The number of parts in which the line has arrived. */
  let pieces = 0;
  let left = 0;
  let trailers = 0;
  /** How many bytes of lines may follow. */
  let allowed = MAX_LINES;

  /** Reads the rest of a line. Returns its end, or how the line is not complete. */
  const readLine = (input: Buffer, from: number, max: number): number | "more" | "broken" => {
    const lineFeed = input.indexOf(LINE_FEED, from);
    const end = lineFeed === -1 ? input.length : lineFeed + 1;
    if (line.length + end - from > max) return "broken";
    allowed -= end - from;
    if (allowed < 0) return "broken";
    line += input.toString("latin1", from, end);
    if (lineFeed === -1) {
      pieces++;
      return "more";
    }
    return line.endsWith("\r\n") ? end : "broken";
  };

  return {
    get held() {
      return line.length + PIECE_BYTES * pieces;
    },
    take: (input) => {
      let content = NOTHING;
      let length = 0;
      let at = 0;
      const framed = (state: Framed["state"]): Framed => ({
        content: fitted(content, length),
        used: at,
        state,
      });
      while (at < input.length) {
        if (reading === "content") {
          const end = Math.min(at + left, input.length);
          // Chunks may be one byte long: their contents are put together.
          if (content.length === 0) content = Buffer.allocUnsafe(input.length - at);
          length += input.copy(content, length, at, end);
          allowed += LINES_PER_BYTE * (end - at);
          left -= end - at;
          at = end;
          if (left === 0) reading = "content's end";
          continue;
        }
        const max = { size: MAX_SIZE_LINE, "content's end": 2, trailers: MAX_TRAILERS }[reading];
        const end = readLine(input, at, max);
        if (end === "broken") return framed("broken");
        if (end === "more") {
          at = input.length;
          return framed("more");
        }
        at = end;
        const text = line.slice(0, -2);
        line = "";
        pieces = 0;
        if (reading === "size") {
          const [, size] = SIZE.exec(text) ?? [];
          if (size === undefined) return framed("broken");
          left = Number.parseInt(size, 16);
          reading = left === 0 ? "trailers" : "content";
        } else if (reading === "content's end") {
          if (text !== "") return framed("broken");
          reading = "size";
        } else {
          if (text === "") return framed("done");
          trailers += text.length;
          if (!TRAILER.test(text) || trailers > MAX_TRAILERS) return framed("broken");
        }
      }
      return framed("more");
    },
  };
}

/** Returns the start of a buffer. A part keeps the whole in memory: a small one is copied. */
function fitted(buffer: Buffer, length: number): Buffer {
  const part = buffer.subarray(0, length);
  return 2 * length < buffer.length ? Buffer.from(part) : part;
}

const LINE_FEED = 0x0a;
