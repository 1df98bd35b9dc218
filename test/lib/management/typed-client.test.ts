import { expect, test } from "bun:test";

import { done } from "../../../lib/base/result.ts";
import type { KeyView } from "../../../lib/accounts/keys.ts";
import { fields, instant, listOf, shape, text } from "../../../lib/base/shape.ts";
import { named, object, string } from "../../../lib/base/schema.ts";
import type { OperationsOf } from "../../../lib/http/operation.ts";
import { choiceParameter, instantParameter } from "../../../lib/http/parameters.ts";
import { endpoint, Reply } from "../../../lib/http/endpoint.ts";
import { onPlatform } from "../../../lib/management/endpoint.ts";
import { managementClient } from "../../../lib/management/client.ts";

const note = shape(
  "Note",
  { text: text(), at: instant("When.") },
  { by: fields({ name: text() }) },
);
const noteBody = named("NewNote", object({ text: string(() => undefined, {}) }, {}));
const base = {
  operationId: "any",
  tag: "system",
  access: onPlatform("viewer"),
  summary: "Any",
  description: "Any.",
  refusals: [],
} as const;

const endpoints = [
  endpoint({
    ...base,
    method: "GET",
    path: "/boards/:board/notes",
    query: { since: instantParameter("From."), order: choiceParameter("Order.", ["up", "down"]) },
    success: { status: 200, description: "Notes.", schema: listOf("Notes", note) },
    run: ({ params, query }) => {
      const at: number = query.since ?? 0;
      return done([{ text: params.board, at }]);
    },
  }),
  endpoint({
    ...base,
    method: "POST",
    path: "/boards/:board/notes",
    body: noteBody,
    success: { status: 201, description: "A note.", schema: note },
    run: ({ body, now }) => done(new Reply({ text: body.text, at: now }, { headers: { a: "b" } })),
  }),
  endpoint({
    ...base,
    method: "DELETE",
    path: "/boards/:board",
    success: { status: 204, description: "Removed." },
    run: () => done(undefined),
  }),
];
type Boards = OperationsOf<typeof endpoints>;

test("an endpoint refuses a value that does not have its output's type", () => {
  const answer = { ...base, method: "GET", path: "/a" } as const;
  const success = { status: 200, description: "A note.", schema: note } as const;
  // @ts-expect-error `at` is missing.
  endpoint({ ...answer, success, run: () => done({ text: "a" }) });
  // @ts-expect-error `at` is a time in milliseconds.
  endpoint({ ...answer, success, run: () => done({ text: "a", at: "2026-11-20T09:30:00Z" }) });
  // @ts-expect-error a reply's value is of the same type.
  endpoint({ ...answer, success, run: () => done(new Reply({ text: 1, at: 0 })) });
  endpoint({
    ...answer,
    success,
    // @ts-expect-error the path has no parameter of this name.
    run: ({ params }) => done({ text: params.board, at: 0 }),
  });
});

test("a client's method has the input and output types of its operation", async () => {
  const requests: Request[] = [];
  const client = managementClient<Boards>({
    base: "http://pets.example/manage/v1",
    send: async (request) => {
      requests.push(request);
      if (request.method === "DELETE") return new Response(null, { status: 204 });
      const written = { text: "a", at: "2026-11-20T09:30:00.000Z" };
      return Response.json(request.method === "GET" ? [written] : written);
    },
  });

  const listed = await client.all("GET /boards/:board/notes", {
    board: "a/b",
    query: { since: "2026-11-20T00:00:00Z", order: undefined },
  });
  const first: number | undefined = listed.ok ? listed.value[0]?.at : undefined;
  expect(first).toBe(Date.parse("2026-11-20T09:30:00Z"));
  expect(requests[0]?.url).toBe(
    "http://pets.example/manage/v1/boards/a%2Fb/notes?since=2026-11-20T00%3A00%3A00Z",
  );

  const made = await client.call("POST /boards/:board/notes", { board: "b", body: { text: "a" } });
  const by: string | undefined = made.ok ? made.value.by?.name : undefined;
  expect(by).toBeUndefined();
  expect(await requests[1]?.json()).toEqual({ text: "a" });

  const removed = await client.call("DELETE /boards/:board", { board: "é" });
  const nothing: undefined = removed.ok ? removed.value : undefined;
  expect(nothing).toBeUndefined();
  expect(requests[2]?.url).toBe("http://pets.example/manage/v1/boards/%C3%A9");
});

/** Never called: the compiler is the test. */
export async function refusedByTheCompiler(): Promise<void> {
  const boards = managementClient<Boards>({ send: fetch });
  // @ts-expect-error no operation has this path.
  await boards.call("GET /boards/:board/note", { board: "b" });
  // @ts-expect-error `board` is missing.
  await boards.call("GET /boards/:board/notes", {});
  // @ts-expect-error `body` is missing.
  await boards.call("POST /boards/:board/notes", { board: "b" });
  // @ts-expect-error a member of the body has another type.
  await boards.call("POST /boards/:board/notes", { board: "b", body: { text: 1 } });
  // @ts-expect-error this operation has no body.
  await boards.call("DELETE /boards/:board", { board: "b", body: {} });
  // @ts-expect-error `order` has other choices.
  await boards.all("GET /boards/:board/notes", { board: "b", query: { order: "sideways" } });
  // @ts-expect-error the query has no such parameter.
  await boards.all("GET /boards/:board/notes", { board: "b", query: { until: "a" } });
  // @ts-expect-error this operation answers with no list.
  await boards.all("DELETE /boards/:board", { board: "b" });

  const manage = managementClient({ send: fetch });
  const keys = await manage.all("GET /accounts/:account/keys", { account: "acc_1" });
  if (!keys.ok) return;
  keys.value satisfies readonly KeyView[];
  const [key] = keys.value;
  // @ts-expect-error a listed key has no secret.
  key?.key satisfies string;
  // @ts-expect-error times are milliseconds.
  key?.createdAt satisfies string;
}
