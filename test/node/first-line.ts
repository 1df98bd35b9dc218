/** Returns the first line of a host's output; empty if it ends without one. */
export async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of stream) {
    text += decoder.decode(part, { stream: true });
    if (text.includes("\n")) break;
  }
  return text;
}
