import { expect, test } from "bun:test";

import { remoteSend, unexpected } from "../../cli/remote.ts";
import { UnexpectedAnswer } from "../../lib/management/index.ts";
import { rejection } from "../helpers/rejection.ts";

const SERVER = "https://pets.example.org";
const ask = (init: RequestInit = {}): Request => new Request(`${SERVER}/manage/v1/me`, init);

/** Sends to a server that gives these answers in order. */
function scripted(...answers: readonly (Response | Error)[]) {
  const waited: number[] = [];
  const left = [...answers];
  const seen: Request[] = [];
  const send = remoteSend({
    server: SERVER,
    token: "pet_manage_x",
    clock: { now: () => 0, sleep: async (ms) => void waited.push(ms) },
    fetch: async (request, init) => {
      seen.push(new Request(request, init));
      const answer = left.shift() ?? new Response("last");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { waited, seen, send };
}

const limited = (seconds: string): Response =>
  new Response(null, { status: 429, headers: { "retry-after": seconds } });

test("every request carries the token", async () => {
  const { send, seen } = scripted(new Response("here"));
  expect(await (await send(ask())).text()).toBe("here");
  expect(seen[0]?.headers.get("authorization")).toBe("Bearer pet_manage_x");
});

test("the token is not sent to a redirect's target", async () => {
  const location = "https://elsewhere.example/manage/v1/me";
  const { send, seen } = scripted(new Response(null, { status: 308, headers: { location } }));
  const error = await rejection(send(ask()));
  expect(String(error)).toContain(`redirects to ${location}`);
  expect(seen).toHaveLength(1);
  expect(seen[0]?.redirect).toBe("manual");
});

test("a 429 with Retry-After up to 60 seconds is retried with the same body", async () => {
  const { send, seen, waited } = scripted(limited("7"), limited("60"), new Response("done"));
  const answer = await send(ask({ method: "POST", body: '{"rows":[]}' }));
  expect(await answer.text()).toBe("done");
  expect(waited).toEqual([7_000, 60_000]);
  expect(await Promise.all(seen.map((request) => request.text()))).toEqual(
    Array(3).fill('{"rows":[]}'),
  );
});

test.each(["61", "x", "-5", "", "1e1", "0.5", "99999999999999999999"])(
  "a 429 with Retry-After %p is not retried",
  async (seconds) => {
    const { send, seen } = scripted(limited(seconds));
    expect((await send(ask())).status).toBe(429);
    expect(seen).toHaveLength(1);
  },
);

test("a request is sent at most five times", async () => {
  const { send, seen } = scripted(...Array.from({ length: 9 }, () => limited("1")));
  expect((await send(ask())).status).toBe(429);
  expect(seen).toHaveLength(5);
});

test("a deploy is not retried", async () => {
  const { send, seen } = scripted(limited("1"));
  const headers = { "content-type": "application/gzip" };
  expect((await send(ask({ method: "POST", body: "x", headers }))).status).toBe(429);
  expect(seen).toHaveLength(1);
});

test.each([
  ["ECONNREFUSED", "Nothing listens on pets.example.org:443. Is the server running?"],
  ["ENOTFOUND", "There is no host pets.example.org: the DNS does not know the name."],
  ["CERT_HAS_EXPIRED", "The certificate of pets.example.org is not valid."],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "NODE_EXTRA_CA_CERTS"],
  ["EPROTO", "The server has no certificate for pets.example.org, or does not speak TLS"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate is for another name than pets.example.org"],
  ["EWHATEVER", "something unusual."],
])("the connection error %s is explained in a message", async (code, words) => {
  const { send } = scripted(Object.assign(new Error("something unusual."), { code }));
  const error = await rejection(send(ask()));
  expect(error).toMatchObject({ exit: "tryLater" });
  expect(String(error)).toContain(`Cannot reach ${SERVER}: `);
  expect(String(error)).toContain(words);
});

test("a certificate for another name is explained with its names", async () => {
  const message =
    "Hostname/IP does not match certificate's altnames: Host: pets.example.org. is not in the cert's altnames: DNS:a.example, DNS:b.example";
  const code = "ERR_TLS_CERT_ALTNAME_INVALID";
  const { send } = scripted(Object.assign(new Error(message), { code }));
  expect(String(await rejection(send(ask())))).toContain(
    "for another name than pets.example.org (a.example, b.example)",
  );
});

test("a gateway error is worth retrying, and a server that is not a petstore is a failure", () => {
  expect(unexpected(SERVER, new UnexpectedAnswer(502))).toMatchObject({ exit: "tryLater" });
  const other = unexpected(SERVER, new UnexpectedAnswer(200));
  expect(other).toMatchObject({
    exit: "failed",
    message: expect.stringContaining("is not a petstore's management API"),
  });
});
