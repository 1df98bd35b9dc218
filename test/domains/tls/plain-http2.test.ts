import { afterAll, beforeAll } from "bun:test";

import { startPlainHttp2 } from "../../../server/listeners/plain-http2.ts";
import { useEngine } from "../../helpers/tls-front.ts";

// The engine of the executable must hold what that of the library does.
beforeAll(() => useEngine(startPlainHttp2));
afterAll(() => useEngine(undefined));

const suites = [
  "bodies",
  "bounds",
  "curl",
  "front",
  "handshake",
  "held",
  "malformed",
  "misdirected",
  "removal",
  "stop",
];
// Under another name, since a module runs once.
await Promise.all(suites.map((suite) => import(`./${suite}.test.ts?plain-http2`)));
