/** One server-sent event. */
export interface ServerSentEvent {
  /** Default: `message`. */
  readonly event: string;
  readonly data: string;
}

/** The service sends no longer lines. In UTF-16 code units. */
const MAX_LINE = 1024 * 1024;

/**
 * Yields the events of a stream (HTML §9.2) as they arrive, until it ends. Throws a `RangeError` at a line of more than
 * 1 Mi characters.
 */
export async function* serverSentEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let event = "";
  let data: string[] = [];
  for await (const line of lines(stream)) {
    if (line === "") {
      if (data.length > 0) yield { event: event === "" ? "message" : event, data: data.join("\n") };
      event = "";
      data = [];
    } else if (line.startsWith("event:")) event = valueOf(line);
    else if (line.startsWith("data:")) data.push(valueOf(line));
  }
}

function valueOf(line: string): string {
  const value = line.slice(line.indexOf(":") + 1);
  return value.startsWith(" ") ? value.slice(1) : value;
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(textDecoder()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split(/\r?\n/);
      rest = parts.pop() ?? "";
      if (rest.length > MAX_LINE) throw new RangeError("A line of the event stream is too long.");
      yield* parts;
    }
  } finally {
    await reader.cancel();
  }
}

/** The types of `TextDecoderStream` also accept other buffers, which the compiler refuses here. */
function textDecoder(): ReadableWritablePair<string, Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
}
