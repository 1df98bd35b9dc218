import { expect, test } from "bun:test";

import { serverSentEvents } from "../../../lib/management/client-events.ts";
import { streamOf } from "../../helpers/tar.ts";

const eventsIn = (text: string, size?: number) =>
  Array.fromAsync(serverSentEvents(streamOf(new TextEncoder().encode(text), size)));

test("events are the same, however the stream is divided", async () => {
  const text =
    ": open\r\nretry: 2000\n\nevent: a\ndata: {\ndata:}\n\nid: 7\ndata: é\r\n\r\ndata: unfinished";
  const events = [
    { event: "a", data: "{\n}" },
    { event: "message", data: "é" },
  ];
  for (const size of [1, 2, 7, 1_000]) expect(await eventsIn(text, size)).toEqual(events);
});

test("a line or an event without an end is refused", async () => {
  await expect(eventsIn("a".repeat(1_100_000))).rejects.toThrow(
    "A line of the event stream is too long.",
  );
  const lines = `data: ${"a".repeat(1_000)}\n`.repeat(1_100);
  await expect(eventsIn(lines)).rejects.toThrow("An event of the event stream is too long.");
  expect(await eventsIn(`data: ${"a".repeat(1_000_000)}\n\n`.repeat(3))).toHaveLength(3);
});
