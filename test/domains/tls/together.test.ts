import { describe, expect, test } from "bun:test";

import { together } from "../../../domains/tls/together.ts";
import { startPlainHttp2 } from "../../../server/listeners/plain-http2.ts";
import { blobResponse } from "../../../lib/base/blob-response.ts";
import { until } from "../../helpers/dns/until.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

describe("writes of a round", () => {
  function collected() {
    const deferred: (() => void)[] = [];
    const written: number[] = [];
    const soon = together((flush) => void deferred.push(flush));
    const add = (from: number, to: number): void => {
      for (let one = from; one < to; one++) soon(() => void written.push(one));
    };
    return { deferred, written, soon, add };
  }

  test("wait until all connections were read, in order", () => {
    const { deferred, written, add } = collected();
    add(0, 15);
    expect(written).toEqual([]);
    expect(deferred).toHaveLength(1);
    deferred.shift()?.();
    expect(written).toEqual(Array.from({ length: 15 }, (_, at) => at));
  });

  test("do not wait for more than fifteen others", () => {
    const { deferred, written, add } = collected();
    add(0, 40);
    expect(written).toHaveLength(32);
    expect(deferred).toHaveLength(1);
    deferred.shift()?.();
    expect(written).toEqual(Array.from({ length: 40 }, (_, at) => at));
    add(40, 41);
    deferred.shift()?.();
    expect(written).toHaveLength(41);
  });

  test("of a write belong to the next round", () => {
    const { deferred, written, soon, add } = collected();
    soon(() => add(1, 2));
    deferred.shift()?.();
    expect(written).toEqual([]);
    deferred.shift()?.();
    expect(written).toEqual([1]);
  });
});

test("a write that throws keeps no other from its connection", () => {
  let flush = (): void => undefined;
  const written: number[] = [];
  const soon = together((run) => (flush = run));
  soon(() => void written.push(1));
  soon(() => {
    throw new Error("broken");
  });
  soon(() => void written.push(3));
  expect(flush).toThrow("broken");
  expect(written).toEqual([1, 3]);
});

test("a client that ends its side with its requests gets the responses", async () => {
  await using served = await startFront({
    fetch: () => blobResponse(new Blob(["hello"]), {}),
    plainHttp2: startPlainHttp2,
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const request = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";
  for (const count of [1, 2]) {
    // From the second turn on, its bytes are known, and no response waits for them.
    for (let turn = 0; turn < 3; turn++) {
      const socket = await shakeHands(served.port, { serverName: "one.test" });
      const received = converse(socket, "");
      socket.end(request.repeat(count));
      const text = await received;
      if (turn > 0) expect(text.split("HTTP/1.1 200 OK").length - 1).toBe(count);
    }
  }
});

test("a name that is removed while its response waits gets no response", async () => {
  const body = new Blob(["secret"]);
  let remove = (): void => undefined;
  await using served = await startFront({
    fetch: () => {
      remove();
      return blobResponse(body, {});
    },
    plainHttp2: startPlainHttp2,
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const request = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  // Its bytes are known from now on, so that the next response waits for nothing else.
  const first = Promise.withResolvers<void>();
  socket.once("data", () => first.resolve());
  socket.write(request);
  await first.promise;
  remove = () => served.front.closeName("one.test");
  expect(await converse(socket, request)).toBe("");
  await until(() => served.front.connections === 0);
  expect(served.front.pending).toBe(0);
  expect(served.front.heldBytes).toBe(0);
});
