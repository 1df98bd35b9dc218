import { DAY_MS } from "../base/clock.ts";
import { hex, type Digest } from "../base/digest.ts";
import { answeredMeanwhile, problem, problems, type Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import type { Outcome, AnswerId, RecordedAnswer } from "../storage/change.ts";
import type { Commit, StoreReads } from "../storage/store.ts";
import type { Remember } from "./public-endpoint.ts";
import type { Answer } from "./answer.ts";

/** How long a response is kept for retries. */
export const KEPT_MS: number = DAY_MS;

/** The result of a request, and whether it is that of an earlier request. */
export interface Reply {
  readonly result: Result<Answer, Problem>;
  readonly replayed: boolean;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Reads the value of `Idempotency-Key`: a quoted string, as in the IETF draft, or a bare one. */
export function readIdempotencyKey(header: string): Result<string, Problem> {
  const quoted = /^"(.*)"$/.exec(header.trim());
  const key = quoted?.[1] ?? header.trim();
  return KEY.test(key)
    ? { ok: true, value: key }
    : refused(
        problem("invalid_parameter", "Idempotency-Key must be 1 to 255 visible ASCII characters."),
      );
}

/** A request with an idempotency key. */
export interface IdempotentRequest {
  readonly id: AnswerId;
  readonly body: Uint8Array;
  /** When it arrived. */
  readonly now: number;
  /** Commits as the request's actor. */
  readonly commit: Commit;
}

/** Runs each request once per idempotency key; a repeated one gets the first response and has no second effect. */
export interface Idempotency {
  run(
    request: IdempotentRequest,
    handle: (remember: Remember) => Promise<Result<Answer, Problem>>,
  ): Promise<Reply>;
}

export function createIdempotency(store: StoreReads, digest: Digest): Idempotency {
  const underWay = new Set<string>();

  const run: Idempotency["run"] = async ({ id, body, now, commit }, handle) => {
    const fingerprint = hex(await digest.sha256(body));
    const earlier = await recall(store, id, fingerprint, now);
    if (earlier !== undefined) return earlier;
    const record = (answer: (outcomes: readonly Outcome[]) => RecordedAnswer) => [
      {
        kind: "answer.record",
        id,
        fingerprint,
        answer,
        at: now,
        expiresAt: now + KEPT_MS,
      } as const,
    ];
    const result = await handle(
      (answer) => (value) => record((outcomes) => recorded(answer(value(outcomes)))),
    );
    if (result.ok) return { result, replayed: false };
    const { code } = result.failure;
    const { status } = problems[code];
    if (status >= 500 || status === 401 || status === 429) return { result, replayed: false };
    if (code !== "idempotency_in_progress") {
      const kept = await commit(
        record(() => ({ status, headers: {}, body: JSON.stringify(result.failure) })),
      );
      if (kept.ok) return { result, replayed: false };
    }
    // Another process was faster, possibly the cause of this refusal: its response is the first one.
    return (await recall(store, id, fingerprint, now)) ?? { result, replayed: false };
  };

  return {
    run: async (request, handle) => {
      const { id } = request;
      const name = `${id.catalogueId} ${id.request} ${id.key}`;
      if (underWay.has(name)) return { result: refused(answeredMeanwhile), replayed: false };
      underWay.add(name);
      try {
        return await run(request, handle);
      } finally {
        underWay.delete(name);
      }
    },
  };
}

async function recall(
  store: StoreReads,
  id: AnswerId,
  fingerprint: string,
  now: number,
): Promise<Reply | undefined> {
  const found = await store.answers.find(id);
  if (found === undefined || found.expiresAt <= now) return undefined;
  if (found.fingerprint !== fingerprint) return { result: refused(reused), replayed: false };
  return {
    replayed: true,
    result:
      found.status >= 400
        ? // Written by `run` from a Problem.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          refused(JSON.parse(found.body) as Problem)
        : { ok: true, value: restored(found) },
  };
}

function recorded({ status, body = "", etag, headers }: Answer): RecordedAnswer {
  return { status, body, headers: { ...headers, ...(etag === undefined ? {} : { etag }) } };
}

function restored({ status, body, headers: { etag, ...headers } }: RecordedAnswer): Answer {
  return {
    // Successes are recorded only with these two.
    status: status === 201 ? 201 : 200,
    body,
    headers,
    ...(etag === undefined ? {} : { etag }),
  };
}

const reused: Problem = problem(
  "idempotency_key_reused",
  "This idempotency key was used for a request with another body. Use a new key.",
);
