import { afterAll, expect, test } from "bun:test";

import { MAX_ANSWER } from "../../lib/webhooks/index.ts";
import { webhookSender } from "../../server/webhook-sender.ts";

const asked: string[] = [];
let received: { readonly request: Request; readonly body: string } | undefined;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    received = { request, body: await request.text() };
    if (pathname === "/to") return Response.redirect("/hook");
    if (pathname === "/metadata") return Response.redirect("http://169.254.169.254/latest");
    if (pathname === "/busy") {
      return new Response("Later", { status: 503, headers: { "retry-after": "120" } });
    }
    if (pathname === "/date") {
      const headers = {
        date: "Sun, 06 Nov 1994 08:49:37 GMT",
        "retry-after": "Sun, 06 Nov 1994 08:50:37 GMT",
      };
      return new Response("", { status: 429, headers });
    }
    if (pathname === "/long") return new Response("ä".repeat(1_000_000));
    if (pathname === "/odd") return new Response("a\u0000\u001B[31mb\u202Ec\nd\u{E000}");
    if (pathname === "/endless") {
      const start = (controller: ReadableStreamDefaultController): void => {
        controller.enqueue(new TextEncoder().encode("begun"));
      };
      return new Response(new ReadableStream({ start }));
    }
    return new Response("ok");
  },
});
afterAll(() => server.stop(true));

const never = new AbortController().signal;
const here = webhookSender({ allowPrivateNetworks: true, resolve: async () => ["127.0.0.1"] });
const request = (path: string, host = "hooks.example") => ({
  url: `http://${host}:${server.port}${path}`,
  headers: { "content-type": "application/json", "webhook-id": "msg_1" },
  body: '{"type":"pet.created"}',
});

test("a message is posted to the address that was checked, with its headers and body", async () => {
  expect(await here.send(request("/hook"), never)).toEqual({ status: 200, text: "ok" });
  const { request: posted, body } = received ?? {};
  expect(posted?.method).toBe("POST");
  expect(posted?.headers.get("host")).toBe(`hooks.example:${server.port}`);
  expect(posted?.headers.get("webhook-id")).toBe("msg_1");
  expect(body).toBe('{"type":"pet.created"}');
});

test("redirects are answers that are not followed", async () => {
  asked.length = 0;
  for (const path of ["/to", "/metadata"]) {
    expect(await here.send(request(path), never)).toMatchObject({ status: 302 });
  }
  expect(asked).toEqual(["/to", "/metadata"]);
});

test("Retry-After is read in seconds and as a date by the receiver's clock", async () => {
  expect(await here.send(request("/busy"), never)).toEqual({
    status: 503,
    retryAfterMs: 120_000,
    text: "Later",
  });
  expect(await here.send(request("/date"), never)).toMatchObject({ retryAfterMs: 60_000 });
});

test("of an answer, the beginning is kept, without what a terminal would obey", async () => {
  const long = await here.send(request("/long"), never);
  expect("text" in long && long.text).toBe("ä".repeat(MAX_ANSWER));
  expect(await here.send(request("/odd"), never)).toEqual({ status: 200, text: "a[31mbc\nd" });
});

test("an answer that does not end has its status", async () => {
  const sender = webhookSender({
    allowPrivateNetworks: true,
    resolve: async () => ["127.0.0.1"],
    timeoutMs: 200,
  });
  expect(await sender.send(request("/endless"), never)).toEqual({ status: 200, text: "begun" });
});

test("a receiver that is silent, unreachable or without TLS is named", async () => {
  const silent = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: () => undefined },
  });
  const rules = { allowPrivateNetworks: true, resolve: async () => ["127.0.0.1"], timeoutMs: 200 };
  const sender = webhookSender(rules);
  const at = (port: number | undefined, scheme = "http") => ({
    ...request("/"),
    url: `${scheme}://hooks.example:${port}/`,
  });
  expect(await sender.send(at(silent.port), never)).toMatchObject({ fault: "timeout" });
  silent.stop(true);
  expect(await sender.send(at(silent.port), never)).toMatchObject({ fault: "unreachable" });
  expect(await here.send(at(server.port, "https"), never)).toMatchObject({ fault: "tls" });
  const lost = webhookSender({ ...rules, resolve: () => new Promise(() => undefined) });
  expect(await lost.send(request("/"), never)).toMatchObject({ fault: "timeout" });
  const nowhere = webhookSender({ ...rules, resolve: async () => [] });
  expect(await nowhere.send(request("/"), never)).toMatchObject({ fault: "address" });
});

test("an aborted attempt ends at once", async () => {
  const control = new AbortController();
  const silent = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: () => control.abort(), data: () => undefined },
  });
  const url = `http://hooks.example:${silent.port}/`;
  expect(await here.send({ ...request("/"), url }, control.signal)).toMatchObject({ fault: "cut" });
  silent.stop(true);
});

const FORMS = [
  "127.0.0.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "10.0.0.1",
  "192.168.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "0.0.0.0",
];

test("private addresses, in any form, are neither accepted nor contacted", async () => {
  asked.length = 0;
  const outside = webhookSender({ allowPrivateNetworks: false });
  for (const host of FORMS) {
    const url = `https://${host}:${server.port}/hook`;
    expect([host, outside.faultOf(new URL(url))]).toEqual([host, "must name a public address"]);
    expect(await outside.send({ ...request("/"), url }, never)).toMatchObject({ fault: "address" });
  }
  const plain = request("/hook", "example.org");
  expect(outside.faultOf(new URL(plain.url))).toBe("must begin with https://");
  expect(await outside.send(plain, never)).toMatchObject({ fault: "address" });
  expect(asked).toEqual([]);
});

test("a name that leads to a private address is not contacted, and is asked for once", async () => {
  asked.length = 0;
  let asks = 0;
  const rebinding = webhookSender({
    allowPrivateNetworks: false,
    resolve: async () => (asks++ === 0 ? ["10.0.0.1", "127.0.0.1"] : ["127.0.0.1"]),
  });
  const url = `https://hooks.example:${server.port}/hook`;
  expect(await rebinding.send({ ...request("/"), url }, never)).toEqual({
    fault: "address",
    said: "hooks.example has no public address.",
  });
  expect(asks).toBe(1);
  expect(asked).toEqual([]);
});

test("the metadata of clouds is never contacted, even if private networks are allowed", async () => {
  const allowed = webhookSender({
    allowPrivateNetworks: true,
    resolve: async () => ["169.254.169.254"],
  });
  expect(await allowed.send(request("/"), never)).toMatchObject({ fault: "address" });
});
