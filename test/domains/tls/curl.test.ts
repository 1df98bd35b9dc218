import { expect, test } from "bun:test";

import { presentedFor } from "../../helpers/presented.ts";
import { startFront } from "../../helpers/tls-front.ts";

/** Body, version and status, as reported by `curl`. */
async function curl(
  port: number,
  host: string,
  args: readonly string[],
  body = "",
): Promise<string> {
  const child = Bun.spawn(
    [
      ...["curl", "-sk", "--max-time", "10", "-w", " %{http_version} %{http_code}"],
      ...["--resolve", `${host}:${port}:127.0.0.1`, ...args, `https://${host}:${port}/dogs`],
    ],
    { stdin: new TextEncoder().encode(body), stdout: "pipe", stderr: "ignore" },
  );
  return new Response(child.stdout).text();
}

const missing = Bun.which("curl") === null;

test.skipIf(missing).each([
  ["--http2", "2"],
  ["--http1.1", "1.1"],
])("curl %s is answered, a big upload too", async (version, expected) => {
  await using served = await startFront({
    fetch: async (request) => new Response(String((await request.arrayBuffer()).byteLength)),
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  expect(await curl(served.port, "one.test", [version])).toBe(`0 ${expected} 200`);
  const body = "x".repeat(3_000_000);
  const upload = [version, "--data-binary", "@-"];
  expect(await curl(served.port, "one.test", upload, body)).toBe(`3000000 ${expected} 200`);
});

test.skipIf(missing)("curl gets no handshake for an unknown name", async () => {
  await using served = await startFront();
  expect(await curl(served.port, "other.test", [])).toBe(" 0 000");
});
