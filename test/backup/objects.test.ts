import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { bucketObjects } from "../../backup/bucket.ts";
import { directoryObjects } from "../../backup/directory.ts";
import type { Objects } from "../../backup/ports.ts";
import { systemClock } from "../../lib/index.ts";
import { scratch } from "../cli/installation.ts";
import {
  failureOf,
  names,
  objectsContract,
  PART,
  streamOf,
  sumOf,
  textStream,
} from "../contract/objects.ts";
import { describeContract } from "../contract/run.ts";
import { startS3, type Asked, type Fault, type S3Server } from "../helpers/s3-server.ts";

describeContract(
  "a directory of objects",
  objectsContract(async () => {
    const path = join(await scratch(), "objects");
    return {
      objects: directoryObjects(path),
      again: directoryObjects(path),
      traces: async () => (await partials(path)).length,
      interrupt: (name) => interrupted(directoryObjects(path), name),
    };
  }),
);

describeContract(
  "objects in a bucket",
  objectsContract(async () => {
    const server = await startS3({ minPartBytes: PART });
    const options = { partBytes: PART };
    const at = { bucket: "pets", prefix: "a shelter/backups/" };
    return {
      objects: bucketObjects(at, server.access, options),
      again: bucketObjects(at, server.access, options),
      traces: async () => server.unfinished(),
      interrupt: (name) => interrupted(bucketObjects(at, server.access, options), name),
      close: async () => server[Symbol.asyncDispose](),
    };
  }),
);

async function partials(path: string): Promise<readonly string[]> {
  const all = await readdir(path, { recursive: true }).catch(() => []);
  return all.filter((name) => name.endsWith(".partial"));
}

const all = (): boolean => true;

/** Keeps what waits forever from being collected, which would close its file. */
const waiting: (() => void)[] = [];

/** Begins to write, and never ends: as after `kill -9`, nothing cleans up. */
async function interrupted(objects: Objects, name: string): Promise<void> {
  const reached = Promise.withResolvers<void>();
  let sent = 0;
  void objects.put(
    name,
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent >= 3 * PART) {
          reached.resolve();
          return new Promise<void>((resolve) => waiting.push(resolve));
        }
        sent += PART / 4;
        controller.enqueue(new Uint8Array(PART / 4));
        return undefined;
      },
    }),
  );
  await reached.promise;
  await Bun.sleep(50);
}

describe("a bucket", () => {
  let server: S3Server;
  let objects: Objects;
  beforeAll(async () => {
    server = await startS3({ pageSize: 100, minPartBytes: PART });
    objects = at("faults/");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Opens a prefix, with a clock that runs fast. */
  const at = (prefix: string, access = server.access): Objects =>
    bucketObjects({ bucket: "pets", prefix }, access, {
      clock: { now: Date.now, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) },
      attempts: 3,
      partBytes: PART,
    });
  const during = async <Value>(
    fault: (asked: Asked) => Fault | undefined,
    work: () => Promise<Value>,
  ): Promise<Value> => {
    const begun = server.log.length;
    server.fault = (asked) => fault({ ...asked, index: seen(asked.operation, begun) - 1 });
    try {
      return await work();
    } finally {
      server.fault = () => undefined;
    }
  };
  const seen = (operation: string, since = 0): number =>
    server.log.slice(since).filter((line) => line.startsWith(`${operation} `)).length;
  /** The fault, for the first `times` of an operation. */
  const first =
    (times: number, operation: string, fault: Fault) =>
    (asked: Asked): Fault | undefined =>
      asked.operation === operation && asked.index < times ? fault : undefined;

  const busy: Fault = { kind: "error", status: 503, code: "SlowDown" };

  test("lists more objects than a page has, each once", async () => {
    const many = at("zoë 🦔/");
    const put = Array.from({ length: 1_005 }, (_, index) => `${index}`);
    for (let start = 0; start < put.length; start += 50) {
      await Promise.all(
        put.slice(start, start + 50).map((name) => many.put(name, textStream(name))),
      );
    }
    expect(await names(many, "")).toEqual(put.map((name) => `${name} ${name.length}`).toSorted());
    expect(await names(many, "100")).toHaveLength(6);
  });

  test("sweeps more unfinished uploads than a page has, and only those below its prefix", async () => {
    const [ours, others] = [at("swept/"), at("sweptaside/")];
    await during(
      (asked) => (asked.operation === "AbortMultipartUpload" ? busy : undefined),
      async () => {
        for (const [place, count] of [
          [ours, 105],
          [others, 1],
        ] as const) {
          for (let index = 0; index < count; index++) {
            const broken = first(Infinity, "UploadPart", {
              kind: "error",
              status: 400,
              code: "Odd",
            });
            const before = server.fault;
            server.fault = (asked) => broken({ ...asked, index: 0 }) ?? before(asked);
            await place.put(`${index}`, streamOf(PART + 1)).catch(() => undefined);
            server.fault = before;
          }
        }
      },
    );
    expect(server.unfinished()).toBe(106);
    await ours.sweep("", all);
    expect(server.unfinished()).toBe(1);
    await others.sweep("", all);
    expect(server.unfinished()).toBe(0);
  });

  test("repeats what the server could not do for a moment", async () => {
    for (const [operation, work] of [
      ["PutObject", () => objects.put("small", textStream("small"))],
      ["CreateMultipartUpload", () => objects.put("large", streamOf(PART + 1))],
      ["UploadPart", () => objects.put("large", streamOf(PART + 1))],
      ["CompleteMultipartUpload", () => objects.put("large", streamOf(PART + 1))],
      ["GetObject", async () => sumOf(await objects.get("large"))],
      ["ListObjectsV2", () => names(objects, "")],
      ["DeleteObject", () => objects.delete("none")],
    ] as const) {
      for (const fault of [busy, { kind: "lost" }, { kind: "disguised" }] as const) {
        if (operation === "GetObject" && fault.kind === "disguised") continue;
        // A whole part may take long; the last one is a byte.
        const from = operation === "UploadPart" ? 1 : 0;
        await during(
          (asked) =>
            asked.operation === operation && asked.index >= from && asked.index < from + 2
              ? fault
              : undefined,
          async () => void (await work()),
        );
      }
    }
    expect(await sumOf(await objects.get("large"))).toBe(await sumOf(streamOf(PART + 1)));
    // Lost answers leave uploads that nobody knows.
    await objects.sweep("", all);
    expect(server.unfinished()).toBe(0);
  });

  test("leaves nothing when the server fails for good", async () => {
    for (const operation of [
      "PutObject",
      "CreateMultipartUpload",
      "UploadPart",
      "CompleteMultipartUpload",
    ]) {
      const size = operation === "PutObject" ? 10 : 2 * PART + 1;
      const failed = await during(first(Infinity, operation, busy), () =>
        failureOf(objects.put("failed", streamOf(size))),
      );
      expect(failed).toBe(
        "tryLater: s3://pets/faults: cannot write failed: This is SlowDown (SlowDown).",
      );
      expect(await names(objects, "failed")).toEqual([]);
    }
    expect(server.unfinished()).toBe(0);
  });

  test("cancels the source when the server fails, even if the source has nothing to give", async () => {
    let cancelled = false;
    let given = 0;
    const idle = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (given > 2 * PART) return new Promise<never>(() => {});
        given += PART / 4;
        controller.enqueue(new Uint8Array(PART / 4));
        return undefined;
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const refused: Fault = { kind: "error", status: 403, code: "AccessDenied" };
    const failed = await during(
      (asked) => (asked.operation === "UploadPart" && asked.index === 1 ? refused : undefined),
      () => failureOf(objects.put("waiting", idle)),
    );
    expect([failed, cancelled]).toEqual([
      "denied: s3://pets/faults: cannot write waiting: the access key lacks the permission.",
      true,
    ]);
  });

  test("continues a response that was cut off or stalls", async () => {
    await objects.put("large", streamOf(PART + 1));
    const right = await sumOf(streamOf(PART + 1));
    for (const kind of ["cut", "stall"] as const) {
      const found = await during(
        (asked) => (asked.operation === "GetObject" ? { kind, bytes: 100_000 } : undefined),
        async () => sumOf(await objects.get("large")),
      );
      expect(found).toBe(right);
    }
    // Without progress, it gives up.
    const given = await during(
      first(Infinity, "GetObject", { kind: "cut", bytes: 0 }),
      async () => {
        return failureOf(objects.get("large").then(sumOf));
      },
    );
    expect(given).toStartWith("tryLater: s3://pets/faults: cannot read");
  });

  test("does not continue with an object that was replaced meanwhile", async () => {
    await objects.put("replaced", streamOf(PART));
    let replaced = false;
    const failed = await during(
      (asked) => {
        if (asked.operation !== "GetObject" || replaced) return undefined;
        replaced = true;
        return { kind: "cut", bytes: 100_000 };
      },
      async () => {
        const stream = await objects.get("replaced");
        server.tamper("faults/replaced", new Uint8Array(PART));
        await objects.put("replaced", streamOf(PART - 1));
        return failureOf(sumOf(stream));
      },
    );
    expect(failed).toContain("PreconditionFailed");
  });

  test("names what is wrong", async () => {
    const { access } = server;
    const others: readonly (readonly [Objects, string])[] = [
      [
        bucketObjects({ bucket: "none", prefix: "" }, access),
        "configuration: s3://none: cannot list the objects: the bucket does not exist. Create it, or correct its name.",
      ],
      [
        at("", { ...access, accessKeyId: "AKIAOTHER" }),
        "configuration: s3://pets: cannot list the objects: the server does not know the access key. Check s3-access-key-id.",
      ],
      [
        at("", { ...access, secretAccessKey: "wrong" }),
        "configuration: s3://pets: cannot list the objects: the secret key is wrong. Check s3-secret-access-key.",
      ],
      [
        at("", { ...access, region: "us-east-1" }),
        "configuration: s3://pets: cannot list the objects: the bucket is in another region. It is in eu-central-1: set s3-region.",
      ],
    ];
    for (const [place, sentence] of others) {
      expect(await failureOf(names(place, ""))).toBe(sentence);
    }
    for (const [status, code, sentence] of [
      [400, "ExpiredToken", "configuration: .* temporary credentials have expired\\. Get new"],
      [403, "AccessDenied", "denied: .* the access key lacks the permission\\."],
      [507, "QuotaExceeded", "tryLater: .*\\(QuotaExceeded\\)\\."],
    ] as const) {
      const refused = await during(
        () => ({ kind: "error", status, code }),
        () => failureOf(objects.put("one", textStream("x"))),
      );
      expect(refused).toMatch(new RegExp(`^${sentence}`));
    }
    const { endpoint, ...rest } = access;
    const away = at("", { ...rest, endpoint: endpoint.replace(/\d+$/, "1") });
    expect(await failureOf(names(away, ""))).toMatch(
      /^tryLater: s3:\/\/pets: cannot list the objects: 127\.0\.0\.1:1 cannot be reached: .+\.$/,
    );
    expect(
      await during(first(Infinity, "ListObjectsV2", { kind: "silent" }), () =>
        failureOf(names(objects, "")),
      ),
    ).toMatch(/cannot be reached: no answer within \d+ seconds\.$/);
    await using web = Bun.serve({ port: 0, fetch: () => new Response("<h1>Welcome</h1>") });
    const elsewhere = at("", { ...access, endpoint: web.url.origin });
    for (const ask of [
      () => names(elsewhere, ""),
      () => elsewhere.get("one"),
      () => elsewhere.sweep("", all),
    ]) {
      expect(await failureOf(ask())).toEndWith(": The answer is not one of S3-compatible storage.");
    }
    expect(await failureOf(objects.put("../secret", textStream("x")))).toBe(
      "usage: ../secret cannot be the name of an object.",
    );
  });

  test("a clock that is wrong is a sentence", async () => {
    const late = bucketObjects({ bucket: "pets", prefix: "" }, server.access, {
      clock: { ...systemClock, now: () => Date.now() + 3_600_000 },
    });
    expect(await failureOf(names(late, ""))).toBe(
      "configuration: s3://pets: cannot list the objects: the clock of this machine is wrong. Set it by NTP.",
    );
  });
});
