import { expect, test } from "bun:test";

import { ReadyHeaders } from "../../../lib/http/answer.ts";
import type { ReportedWindow } from "../../../lib/model/window.ts";

const under = (requestId: string, remaining: number, limit: number) => {
  const lasts = { resetsAt: 60_000, lengthSeconds: 60 };
  const minute: ReportedWindow = { name: "minute", limit, remaining, ...lasts };
  return { requestId, verdict: { at: 0, windows: [minute] as const } };
};

// Where the runtime's own Response copies headers, we do not: an upgrade that changed that would mix up answers.
test("a response keeps its headers when the next one is made of the same template", () => {
  const ready = new ReadyHeaders({ "content-type": "text/plain" });
  const one = ready.response("one", 200, under("req-1", 9, 10), [{ "x-own": "a" }]);
  const two = ready.response("two", 200, under("req-2", 7, 20), [undefined, { link: "b" }]);
  one.headers.set("x-by-host", "c");
  const three = ready.response("three", 200, under("req-3", 6, 20));
  const fields = (limit: string, remaining: string, requestId: string) => ({
    "content-type": "text/plain",
    ratelimit: `"minute";r=${remaining};t=60`,
    "ratelimit-policy": `"minute";q=${limit};w=60`,
    "x-ratelimit-limit": limit,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": "60",
    "x-request-id": requestId,
  });
  expect(Object.fromEntries(one.headers)).toEqual({
    ...fields("10", "9", "req-1"),
    "x-own": "a",
    "x-by-host": "c",
  });
  expect(Object.fromEntries(two.headers)).toEqual({ ...fields("20", "7", "req-2"), link: "b" });
  expect(Object.fromEntries(three.headers)).toEqual(fields("20", "6", "req-3"));
});
