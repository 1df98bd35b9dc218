import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { until } from "../helpers/dns/until.ts";
import { presentedFor } from "../helpers/presented.ts";
import { startProgram } from "../helpers/process.ts";
import { converse, http2Request, http2Session, shakeHands } from "../helpers/tls-client.ts";
import { installation, scratch } from "./installation.ts";

const HOST = "pets.example";
const EMAIL = "ada@shelter.example";
const PASSWORD = "four quiet herons wade";
const SIGN_IN = JSON.stringify({ email: EMAIL, password: PASSWORD });

/** What a site below the same domain can set: 48 KB of cookies, the number of which browsers limit. */
const bomb = Array.from({ length: 120 }, (_, index) => `bomb${index}=${"x".repeat(392)}`);

/** The options that create an operator. */
async function operator() {
  const file = join(await scratch(), "password");
  await writeFile(file, PASSWORD, { mode: 0o600 });
  return { PETSTORE_ADMIN_EMAIL: EMAIL, PETSTORE_ADMIN_PASSWORD_FILE: file };
}

/** Starts the program with an operator, and with HTTPS for pets.example. */
async function serving() {
  const here = await installation();
  const directory = await scratch();
  const [cert, key] = [join(directory, "c.pem"), join(directory, "k.pem")];
  const made = await presentedFor("own", HOST);
  await writeFile(key, made.privateKeyPem);
  await writeFile(cert, made.chainPem);
  const program = await startProgram({
    dataDir: here.dataDir,
    env: await operator(),
    args: [
      "--listen-https=127.0.0.1:0",
      `--tls-cert-file=${cert}`,
      `--tls-key-file=${key}`,
      `--base-domain=${HOST}`,
    ],
  });
  const said = (): string | undefined =>
    /listening on https:\/\/127\.0\.0\.1:(\d+)"/.exec(program.output())?.[1];
  await until(() => said() !== undefined);
  return { program, port: Number(said()) };
}

/** Sends one HTTP/1.1 request over TLS. */
async function ask(port: number, head: string, cookie = "", body = ""): Promise<string> {
  const socket = await shakeHands(port, { serverName: HOST });
  const fields = [
    `Host: ${HOST}`,
    "Sec-Fetch-Site: same-origin",
    "Connection: close",
    ...(cookie === "" ? [] : [`Cookie: ${cookie}`]),
    ...(body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
  ];
  return converse(socket, `${head} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n${body}`);
}

const ME = "GET /manage/v1/me";

describe("a session is valid beside 48 KB of other cookies", () => {
  test("over HTTP/1.1 and HTTP/2, in one field or in many", async () => {
    const { program, port } = await serving();
    await using _ = program;
    const signedIn = await ask(port, "POST /manage/v1/sessions", bomb.join("; "), SIGN_IN);
    expect(signedIn).toStartWith("HTTP/1.1 201 ");
    const own = /^set-cookie: (__Host-petstore=[^;]+)/im.exec(signedIn)?.[1] ?? "";
    const cookies = [...bomb, own];
    const backwards = cookies.toReversed();

    expect(await ask(port, ME, own)).toStartWith("HTTP/1.1 200 ");
    expect(await ask(port, ME, cookies.join("; "))).toStartWith("HTTP/1.1 200 ");
    expect(await ask(port, ME, backwards.join("; "))).toStartWith("HTTP/1.1 200 ");

    const session = await http2Session(port, HOST);
    const fields = { ":path": "/manage/v1/me", "sec-fetch-site": "same-origin" };
    const whole = await http2Request(session, { ...fields, cookie: cookies.join("; ") });
    expect(whole.status).toBe(200);
    // Browsers send a field for each cookie (RFC 9113 §8.2.3).
    const crumbs = await new Promise<number>((resolve, reject) => {
      const stream = session.request({ ...fields, cookie: cookies });
      stream.on("response", ({ ":status": status }) => resolve(Number(status)));
      stream.on("error", reject);
      stream.resume();
    });
    expect(crumbs).toBe(200);
    session.destroy();
  });

  test("over plain HTTP on the machine itself", async () => {
    const here = await installation();
    await using program = await startProgram({ dataDir: here.dataDir, env: await operator() });
    const { port } = new URL(program.origin);
    const headers = { host: `localhost:${port}`, "sec-fetch-site": "same-origin" };
    const signedIn = await fetch(`${program.origin}/manage/v1/sessions`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", cookie: bomb.join("; ") },
      body: SIGN_IN,
    });
    const own = /^__Host-petstore=[^;]+/.exec(signedIn.headers.get("set-cookie") ?? "")?.[0] ?? "";
    for (const cookies of [[own], [...bomb, own], [own, ...bomb]]) {
      const cookie = cookies.join("; ");
      const me = await fetch(`${program.origin}/manage/v1/me`, { headers: { ...headers, cookie } });
      expect([cookies.length, me.status]).toEqual([cookies.length, 200]);
    }
  });
});
