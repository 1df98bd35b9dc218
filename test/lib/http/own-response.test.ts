import { expect, test } from "bun:test";

import { limitHeaders, ReadyHeaders } from "../../../lib/http/answer.ts";

const under = (remaining: number, limit: number) =>
  limitHeaders({
    at: 0,
    windows: [{ name: "minute", limit, remaining, resetsAt: 60_000, lengthSeconds: 60 }],
  });

// Where the runtime's own Response copies headers, we do not: an upgrade that changed that would mix up answers.
test("a response keeps its headers when the next one is made of the same template", () => {
  const ready = new ReadyHeaders({ "content-type": "text/plain" });
  const one = ready.response("one", 200, under(9, 10), (headers) => headers.set("x-own", "a"));
  const two = ready.response("two", 200, under(7, 20), (headers) => headers.set("link", "b"));
  expect(Object.fromEntries(one.headers)).toEqual({
    "content-type": "text/plain",
    "ratelimit-policy": '"minute";q=10;w=60',
    "x-own": "a",
    "x-ratelimit-limit": "10",
    "x-ratelimit-reset": "60",
  });
  expect(two.headers.get("x-own")).toBeNull();
  expect([two.headers.get("link"), two.headers.get("x-ratelimit-limit")]).toEqual(["b", "20"]);
});
