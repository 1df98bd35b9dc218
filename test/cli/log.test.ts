import { expect, test } from "bun:test";

import { system } from "../../lib/model/actor.ts";
import { createLog } from "../../server/process/log.ts";
import type { Settings } from "../../settings/options.ts";
import { createMetrics } from "../../server/metrics/metrics.ts";
import type { Answered, Store } from "../../lib/index.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";

const plain = (text: string): string => text;
const style = { dim: plain, red: plain, yellow: plain, green: plain };

function log(
  format: Exclude<Settings["logFormat"], "auto">,
  level: Settings["logLevel"] = "debug",
) {
  const lines: string[] = [];
  return { lines, log: createLog({ format, level, style, write: (line) => lines.push(line) }) };
}

test("a log entry is one line of JSON with time, level, message and fields, whatever their content", () => {
  const made = log("json");
  made.log.warn("a {key} was\nbanned", { keyId: "abc", level: 2, none: undefined });
  const [line = ""] = made.lines;
  expect(line.split("\n")).toHaveLength(2);
  const { time, ...facts } = JSON.parse(line);
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  // A ban has a field named level, which must not replace the level of the log entry.
  expect(facts).toEqual({
    level: "warn",
    message: "a {key} was\nbanned",
    keyId: "abc",
    fields: { level: 2 },
  });
});

test("an error is logged with its causes", () => {
  const made = log("json");
  made.log.error("it broke", new Error("outer", { cause: new TypeError("inner") }), {
    requestId: "r",
  });
  expect(JSON.parse(made.lines[0] ?? "")).toMatchObject({
    level: "error",
    requestId: "r",
    error: { name: "Error", message: "outer", cause: { name: "TypeError", message: "inner" } },
  });
});

test("a text log entry is one line, with its fields after the message", () => {
  const made = log("text");
  made.log.info("stopping", { signal: "SIGTERM", words: "two words" });
  expect(made.lines[0]).toMatch(/^\S+Z info  stopping signal=SIGTERM words="two words"\n$/);
});

test("messages below the level are not logged", () => {
  const made = log("text", "warn");
  made.log.debug("a");
  made.log.info("b");
  made.log.warn("c");
  made.log.error("d", new Error("e"));
  expect(made.lines).toHaveLength(2);
});

const answered: Answered = {
  requestId: "req_1",
  operation: "listPets",
  method: "GET",
  status: 200,
  durationMs: 3,
};

test("responses are counted by operation, method and status, and errors by code", async () => {
  const metrics = createMetrics("1.2.3");
  metrics.answered(answered);
  metrics.answered(answered);
  metrics.answered({ ...answered, status: 429, code: "rate_limited" });
  const { body } = await metrics.text();
  expect(body).toContain(
    'petstore_requests_total{operation="listPets",method="GET",status="200"} 2',
  );
  expect(body).toContain('petstore_errors_total{code="rate_limited"} 1');
  expect(body).toContain('petstore_request_duration_seconds_count{operation="listPets"} 3');
  expect(body).toContain('petstore_build_info{version="1.2.3"');
  expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
});

test("the number of metric series is bounded, whatever methods and keys clients send", async () => {
  const metrics = createMetrics("1");
  for (let index = 0; index < 200; index++) {
    metrics.answered({
      ...answered,
      method: `M${index}`,
      requestId: `r${index}`,
      keyId: `k${index}`,
    });
  }
  const { body } = await metrics.text();
  expect(body.match(/^petstore_requests_total\{/gm)).toHaveLength(1);
  expect(body).toContain('method="other"');
});

test("commits are timed, and bans are counted once they are stored", async () => {
  const metrics = createMetrics("1");
  const ban = { until: 2, level: 1, bannedAt: 1 };
  const outcomes = [
    { ok: true, value: [] },
    { ok: false, failure: { index: 0, refusal: "missing" } },
  ] as const;
  let call = 0;
  const store = metrics.measured({ commit: async () => outcomes[call++ % 2] } as unknown as Store);
  await store.commit([{ kind: "key.ban", keyId: "k", ban, from: undefined, at: 1 }], system);
  await store.commit([{ kind: "key.ban", keyId: "k", ban, from: undefined, at: 1 }], system);
  const blobs = metrics.measuredBlobs(memoryBlobs());
  const { sha256 } = await blobs.put(new Uint8Array(3));
  await blobs.read(sha256);
  await blobs.open(sha256);
  const { body } = await metrics.text();
  expect(body).toContain('petstore_site_file_seconds_count{operation="put"} 1');
  expect(body).toContain('petstore_site_file_seconds_count{operation="read"} 2');
  expect(body).toContain("petstore_key_bans_total 1");
  expect(body).toContain("petstore_store_commit_seconds_count 2");
});
