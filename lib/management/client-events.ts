/** One server-sent event. */
export interface ServerSentEvent {
  /** Default: `message`. */
  readonly event: string;
  readonly data: string;
}

/** The service sends no longer lines, and no longer events. In UTF-16 code units. */
const MAX_LINE = 1024 * 1024;

/**
 * Yields the events of a stream (HTML §9.2) as they arrive, until it ends. Throws a `RangeError` at a line or an event of
 * more than 1 Mi characters.
 */
export async function* serverSentEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let event = "";
  let data: string[] = [];
  let size = 0;
  for await (const line of lines(stream)) {
    if (line === "") {
      if (data.length > 0) yield { event: event === "" ? "message" : event, data: data.join("\n") };
      event = "";
      data = [];
      size = 0;
    } else if (line.startsWith("event:")) event = valueOf(line);
    else if (line.startsWith("data:")) {
      size += line.length;
      if (size > MAX_LINE) throw tooLong("An event");
      data.push(valueOf(line));
    }
  }
}

function valueOf(line: string): string {
  const value = line.slice(line.indexOf(":") + 1);
  return value.startsWith(" ") ? value.slice(1) : value;
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(textDecoder()).getReader();
  // Joined once its end has arrived: a line may come in very small parts.
  let begun: string[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.length;
      begun.push(value);
      if (value.includes("\n")) {
        const parts = begun.join("").split(/\r?\n/);
        const rest = parts.pop() ?? "";
        begun = [rest];
        size = rest.length;
        yield* parts;
      }
      if (size > MAX_LINE) throw tooLong("A line");
    }
  } finally {
    await reader.cancel();
  }
}

function tooLong(what: string): RangeError {
  return new RangeError(`${what} of the event stream is too long.`);
}

/** The types of `TextDecoderStream` also accept other buffers, which the compiler refuses here. */
function textDecoder(): ReadableWritablePair<string, Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
}
