import { expect, test } from "bun:test";

import { problem } from "../../../lib/base/problem.ts";
import { done, refused } from "../../../lib/base/result.ts";
import {
  importPetFile,
  type ImportFault,
  type ImportPetFile,
} from "../../../lib/catalogue/pet-import.ts";

/** Returns an import of these lines, whose batches are answered by `send`. */
function job(
  lines: readonly string[],
  send: ImportPetFile["send"],
  more: Partial<ImportPetFile> = {},
) {
  const faults: ImportFault[] = [];
  const progress: (readonly [number, number])[] = [];
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const line of lines) yield new TextEncoder().encode(`${line}\n`);
  }
  const run = () =>
    importPetFile({
      source: source(),
      format: "csv",
      send,
      onFault: (fault) => faults.push(fault),
      onProgress: (...so) => progress.push(so),
      ...more,
    });
  return { faults, progress, run };
}

const all: ImportPetFile["send"] = async (rows) =>
  done({ added: rows.length, failures: [], categories: [] });
const many = (count: number): readonly string[] => [
  "name,category",
  ...Array(count).fill("Rex,Dogs"),
];

test("the service's refusals are reported with line and row", async () => {
  const unknown = problem("unknown_category", "There is no category.");
  const { faults, run } = job(
    ["name,category", "Rex,Dogs", "a,b,c", "", "Tom,Unicorns"],
    async () => done({ added: 1, failures: [{ index: 1, problem: unknown }], categories: [] }),
  );
  expect(await run()).toEqual({ kind: "done", added: 1, failed: 2 });
  expect(faults).toEqual([
    { line: 3, fault: { code: "field_count", found: 3, expected: 2 } },
    { line: 5, row: { name: "Tom", category: "Unicorns" }, problem: unknown },
  ]);
});

test("a file without the required columns is not read further", async () => {
  let sent = 0;
  const { run } = job(["name,catgory", "Rex,red"], async () => {
    sent++;
    return done({ added: 0, failures: [], categories: [] });
  });
  expect(await run()).toMatchObject({ kind: "unreadable", header: { code: "unknown_column" } });
  expect(sent).toBe(0);
});

test.each([
  [[], "csv", "empty"],
  [["", ""], "csv", "empty"],
  [["name,category,status"], "csv", "no_rows"],
  [["name,category", "", "  "], "csv", "no_rows"],
  [[], "ndjson", "empty"],
  [["", " "], "ndjson", "no_rows"],
] as const)("a file of %j as %s is an error, and nothing is sent", async (lines, format, code) => {
  const { run } = job(lines, () => Promise.reject(new Error("sent")), { format });
  expect(await run()).toEqual({ kind: "unreadable", added: 0, failed: 0, header: { code } });
});

test("a file whose rows were all added by an earlier attempt has rows", async () => {
  const { run } = job(many(3), all, { fromLine: 100 });
  expect(await run()).toEqual({ kind: "done", added: 0, failed: 0 });
});

test("cancelling ends the import between two batches and returns the line to continue from", async () => {
  const end = new AbortController();
  const { progress, run } = job(
    many(2_500),
    async (rows) => {
      end.abort();
      return all(rows);
    },
    { signal: end.signal },
  );
  expect(await run()).toEqual({ kind: "cancelled", added: 500, failed: 0, from: 502 });
  expect(progress.map(([rows]) => rows)).toEqual([500]);
  const rest = job(many(2_500), all, { fromLine: 502 });
  expect(await rest.run()).toEqual({ kind: "done", added: 2_000, failed: 0 });
});

test("cancelling after the last batch has no effect", async () => {
  const end = new AbortController();
  const { run } = job(
    many(3),
    async (rows) => {
      end.abort();
      return all(rows);
    },
    { signal: end.signal },
  );
  expect(await run()).toEqual({ kind: "done", added: 3, failed: 0 });
});

test("a refused batch ends the import, with the lines of the batch", async () => {
  let batches = 0;
  const busy = problem("rate_limited", "Too fast.");
  const { run } = job(many(2_500), async (rows) => (++batches === 2 ? refused(busy) : all(rows)));
  expect(await run()).toEqual({
    kind: "stopped",
    added: 500,
    failed: 0,
    problem: busy,
    from: 502,
    to: 1_001,
  });
});

test("an import stops at the first row that the service could not add for now", async () => {
  const unavailable = problem("unavailable", "The service became unavailable.");
  const unknown = problem("unknown_category", "There is no category.");
  const { faults, run } = job(
    ["name,category", "Rex,Unicorns", "Rex,Dogs", "a,b,c", "Rex,Dogs", "x,y,z", "Rex,Dogs"],
    async () =>
      done({
        added: 1,
        failures: [
          { index: 0, problem: unknown },
          { index: 2, problem: unavailable },
          { index: 3, problem: unavailable },
        ],
        categories: [],
      }),
  );
  expect(await run()).toEqual({
    kind: "stopped",
    added: 1,
    failed: 2,
    problem: unavailable,
    from: 5,
    to: 7,
  });
  expect(faults.map(({ line }) => line)).toEqual([2, 4]);
});
