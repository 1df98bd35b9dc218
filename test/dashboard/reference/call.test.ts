import { expect, test } from "bun:test";

import { asCurl, sampleIn, type Call } from "../../../dashboard/reference/model/call.ts";

const nasty: Call = {
  method: "PATCH",
  url: "https://pets.example.org/v1/pets/1?a='b'&c=$(date)",
  headers: { "If-Match": `"1-'$HOME'\`x\`"` },
  body: JSON.stringify({ name: `O'Neil "the\\cat" $PATH`, gone: null, kept: true, said: "true" }),
};

/** Returns the arguments that a shell parses from a command. */
async function argumentsOf(command: string): Promise<readonly string[]> {
  const script = `curl() { for each; do printf '%s\\0' "$each"; done; }\n${command}`;
  const child = Bun.spawn(["sh", "-c", script], { env: { PETSTORE_KEY: "the key" } });
  return (await new Response(child.stdout).text()).split("\0").slice(0, -1);
}

test("a shell parses the command into exactly the request, with the key from the environment", async () => {
  const [x, method, url, ...rest] = await argumentsOf(asCurl(nasty));
  expect([x, method, url]).toEqual(["-X", "PATCH", nasty.url]);
  expect(rest.filter((_, index) => index % 2 === 0)).toEqual(["-H", "-H", "-H", "-d"]);
  const [key, match, type, body = ""] = rest.filter((_, index) => index % 2 === 1);
  expect(key).toBe("Authorization: Bearer the key");
  expect(match).toBe(`If-Match: ${nasty.headers?.["If-Match"]}`);
  expect(type).toBe("Content-Type: application/json");
  expect(JSON.parse(body)).toEqual(JSON.parse(nasty.body ?? ""));
});

test("an invalid JSON body is sent unchanged", async () => {
  const typed = "{ not: 'json' }";
  const sent = await argumentsOf(asCurl({ method: "POST", url: "https://x/v1/pets", body: typed }));
  expect(sent.at(-1)).toBe(typed);
});

test.each([nasty, { method: "GET", url: "https://pets.example.org/v1/pets" }])(
  "the JavaScript sample of $method sends the request",
  async (call: Call) => {
    const sent: unknown[] = [];
    const fetch = async (url: string, init: unknown): Promise<Response> => {
      sent.push([url, init]);
      return Response.json([]);
    };
    const source = `return (async () => { ${sampleIn("JavaScript", call)} })();`;
    const names = ["fetch", "process", "console"];
    // Runs the sample.
    // oxlint-disable-next-line typescript/no-implied-eval
    const run = new Function(...names, source) as (...values: unknown[]) => Promise<void>;
    await run(fetch, { env: { PETSTORE_KEY: "the key" } }, { log: () => undefined });
    const headers = { Authorization: "Bearer the key", ...call.headers };
    expect(sent).toEqual([
      [
        call.url,
        call.body === undefined
          ? { headers }
          : {
              method: call.method,
              headers: { ...headers, "Content-Type": "application/json" },
              body: JSON.stringify(JSON.parse(call.body)),
            },
      ],
    ]);
  },
);

test("Python literals replace JSON's, but not within strings", () => {
  const said = sampleIn("Python", nasty);
  expect(said).toContain(`"gone": None, "kept": True, "said": "true"`);
  expect(said).toContain("requests.patch(");
});

test("no sample holds a key", () => {
  for (const language of ["curl", "JavaScript", "Python"] as const) {
    expect(sampleIn(language, nasty)).toContain("PETSTORE_KEY");
    expect(sampleIn(language, nasty)).not.toMatch(/pet_(?:live|test)_/);
  }
});
