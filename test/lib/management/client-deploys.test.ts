import { expect, test } from "bun:test";

import { managementClient, UnexpectedAnswer } from "../../../lib/management/client.ts";
import { createDeploy } from "../../../lib/management/client-deploys.ts";
import { rejection } from "../../helpers/rejection.ts";

/** Returns a client whose server answers every request with these parts of an event stream. */
function streaming(...parts: readonly string[]) {
  const seen: { readonly request: Request; readonly body: string }[] = [];
  const client = managementClient({
    send: async (request) => {
      seen.push({ request, body: await request.text() });
      return new Response(streamOf(parts.map((part) => new TextEncoder().encode(part))), {
        status: 201,
        headers: { "content-type": "text/event-stream; charset=utf-8" },
      });
    },
  });
  return { client, seen };
}

const archive = (): ReadableStream<Uint8Array> =>
  streamOf([new Uint8Array([1]), new Uint8Array([2, 3])]);

test("a site is uploaded as a stream, and its progress is reported", async () => {
  const { client, seen } = streaming(
    ': hello\n\nevent: progress\ndata: {"deployId":"d1","state":"uploa',
    'ding","files":1,"bytes":2}\n\nevent: progress\r\ndata: {"deployId":"d1","state":"processing","files":2,"bytes":9}\r\n\r\n',
    'event: done\ndata: {"id":"d1","state":"live","activatedAt":"1970-01-01T00:00:01.000Z"}\n\n',
  );
  const progress: string[] = [];
  const made = await createDeploy(client, {
    project: "brave-otter",
    archive: archive(),
    message: "Spring & co",
    activate: false,
    onProgress: ({ state, files }) => progress.push(`${state} ${files}`),
  });
  expect(made).toMatchObject({ ok: true, value: { id: "d1", activatedAt: 1_000 } });
  expect(progress).toEqual(["uploading 1", "processing 2"]);
  const [{ request, body } = { request: new Request("http://x"), body: "" }] = seen;
  expect(request.url).toBe(
    "http://localhost/manage/v1/projects/brave-otter/deploys?message=Spring+%26+co&activate=false",
  );
  expect(request.headers.get("content-type")).toBe("application/gzip");
  expect(body).toBe("\u0001\u0002\u0003");
});

test("the starter is requested by name", async () => {
  const { client, seen } = streaming('event: done\ndata: {"id":"d1"}\n\n');
  await createDeploy(client, { project: "p", archive: "starter", message: "First" });
  expect(JSON.parse(seen[0]?.body ?? "")).toEqual({ source: "starter", message: "First" });
});

test("a refusal can arrive after the first events", async () => {
  const { client } = streaming(
    'event: problem\ndata: {"code":"invalid_archive","message":"../x: leads out.","status":400}\n\n',
  );
  expect(await createDeploy(client, { project: "p", archive: archive() })).toEqual({
    ok: false,
    failure: { code: "invalid_archive", message: "../x: leads out." },
  });
});

test("a stream that ends without an outcome rejects", async () => {
  const { client } = streaming('event: progress\ndata: {"files":1}\n\nevent: done\ndata: {"id":');
  expect(
    await rejection(createDeploy(client, { project: "p", archive: archive() })),
  ).toBeInstanceOf(UnexpectedAnswer);
});

test("an endless line is not buffered without bound", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(120));
    },
  });
  const client = managementClient({
    send: async () => new Response(endless, { headers: { "content-type": "text/event-stream" } }),
  });
  const error = await rejection(createDeploy(client, { project: "p", archive: "starter" }));
  expect(error).toBeInstanceOf(RangeError);
  expect(sent).toBeLessThan(4 * 1024 * 1024);
});

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull: (controller) => {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
}
