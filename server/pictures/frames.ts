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

/** The lengths of the JSON and of the bytes. */
const PREFIX_BYTES = 8;
/** The most bytes of a message: more than a picture and its renditions can have. */
const MAX_FRAME_BYTES: number = 256 * 1_024 * 1_024;

export function requestFrame({ picture: { bytes, ...facts }, wanted }: RenderRequest): Uint8Array {
  return frame({ head: { facts, wanted }, content: bytes });
}

export function answerFrame(answer: RenderAnswer): Uint8Array {
  if (answer.kind !== "rendered") return frame({ head: answer, content: new Uint8Array() });
  const { kind, renditions } = answer;
  return frame({
    head: { kind, lengths: renditions.map(({ length }) => length) },
    content: Buffer.concat(renditions),
  });
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
    const renditions = answer.lengths.map((length) => content.slice(start, (start += length)));
    yield { kind: "rendered", renditions };
  }
}

function frame({ head, content }: Frame): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(head));
  const prefix = new DataView(new ArrayBuffer(PREFIX_BYTES));
  prefix.setUint32(0, json.length);
  prefix.setUint32(4, content.length);
  return Buffer.concat([new Uint8Array(prefix.buffer), json, content]);
}

/** Rejects with a RangeError for a message that is too long. An unfinished last message is left out. */
async function* framesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  let parts: Uint8Array[] = [];
  let held = 0;
  let wanted = PREFIX_BYTES;
  for await (const chunk of stream) {
    parts.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
      parts = [bytes];
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const [json, content] = [view.getUint32(0), view.getUint32(4)];
      const whole = PREFIX_BYTES + json + content;
      if (whole > MAX_FRAME_BYTES) throw new RangeError(`The message has ${whole} bytes.`);
      wanted = whole;
      if (held < whole) break;
      const text = new TextDecoder().decode(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + json));
      yield { head: JSON.parse(text), content: bytes.subarray(PREFIX_BYTES + json, whole) };
      parts = [bytes.subarray(whole)];
      held -= whole;
      wanted = PREFIX_BYTES;
    }
  }
}
