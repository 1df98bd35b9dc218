import type { Picture, Rendition } from "../../lib/index.ts";

/** The messages between the server and its process for pictures. Both are the same version of the program. */

/** Asks for the renditions of a picture. */
export interface RenderRequest {
  readonly picture: Picture;
  readonly wanted: readonly Rendition[];
}

/** What became of a request. */
export type RenderAnswer =
  | { readonly kind: "rendered"; readonly renditions: readonly Uint8Array[] }
  | { readonly kind: "undecodable" }
  | { readonly kind: "failed"; readonly message: string };

/** A message: some values as JSON, and bytes. */
interface Frame {
  readonly head: unknown;
  readonly content: Uint8Array;
}

/** The parts of a message as it is sent, one after the other. */
export type FrameParts = readonly Uint8Array[];

/** The lengths of the JSON and of the bytes. */
const PREFIX_BYTES = 8;
/** The most bytes of a message: more than a picture and its renditions can have. */
const MAX_FRAME_BYTES: number = 256 * 1_024 * 1_024;

export function requestFrame({ picture: { bytes, ...facts }, wanted }: RenderRequest): FrameParts {
  return frame({ facts, wanted }, [bytes]);
}

export function answerFrame(answer: RenderAnswer): FrameParts {
  if (answer.kind !== "rendered") return frame(answer, []);
  const { kind, renditions } = answer;
  return frame({ kind, lengths: renditions.map(({ length }) => length) }, renditions);
}

/** Reads the requests of a stream, up to its end. */
export async function* requestsIn(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<RenderRequest> {
  for await (const { head, content } of framesIn(stream)) {
    // Written by `requestFrame` of the same program.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { facts, wanted } = head as {
      readonly facts: Omit<Picture, "bytes">;
      readonly wanted: readonly Rendition[];
    };
    yield { picture: { ...facts, bytes: content }, wanted };
  }
}

/** Reads the answers of a stream, up to its end. */
export async function* answersIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<RenderAnswer> {
  for await (const { head, content } of framesIn(stream)) {
    // Written by `answerFrame` of the same program.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const answer = head as
      | { readonly kind: "rendered"; readonly lengths: readonly number[] }
      | Exclude<RenderAnswer, { readonly kind: "rendered" }>;
    if (answer.kind !== "rendered") {
      yield answer;
      continue;
    }
    let start = 0;
    const renditions = answer.lengths.map((length) => content.subarray(start, (start += length)));
    yield { kind: "rendered", renditions };
  }
}

function frame(head: unknown, content: FrameParts): FrameParts {
  const json = new TextEncoder().encode(JSON.stringify(head));
  const prefix = new DataView(new ArrayBuffer(PREFIX_BYTES));
  prefix.setUint32(0, json.length);
  prefix.setUint32(
    4,
    content.reduce((sum, { length }) => sum + length, 0),
  );
  return [new Uint8Array(prefix.buffer), json, ...content];
}

/**
 * Rejects with a RangeError for a message that is too long. Leaves out an unfinished last message. Copies each chunk to its
 * place as it arrives, so that the end of a long message blocks nothing.
 */
async function* framesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const prefix = new Uint8Array(PREFIX_BYTES);
  const view = new DataView(prefix.buffer);
  let wanted = prefix;
  let filled = 0;
  for await (const chunk of stream) {
    for (let from = 0; from < chunk.length;) {
      const piece = chunk.subarray(from, from + wanted.length - filled);
      wanted.set(piece, filled);
      from += piece.length;
      filled += piece.length;
      if (filled < wanted.length) break;
      filled = 0;
      const [json, content] = [view.getUint32(0), view.getUint32(4)];
      if (wanted === prefix) {
        const length = json + content;
        if (length > MAX_FRAME_BYTES) throw new RangeError(`The message has ${length} bytes.`);
        wanted = new Uint8Array(length);
        continue;
      }
      const text = new TextDecoder().decode(wanted.subarray(0, json));
      yield { head: JSON.parse(text), content: wanted.subarray(json) };
      wanted = prefix;
    }
  }
}
