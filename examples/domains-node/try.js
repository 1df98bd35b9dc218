// Tries a host on this machine, with a name server and a CA of its own: node try.js [express.js | fastify.js]
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, watchFile, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startSandbox } from "petstore/testing/domains";

const [, , host = "main.js"] = process.argv;
const { PORT = "8080", HTTPS_PORT = "8443" } = process.env;
const folder = mkdtempSync(join(tmpdir(), "my-shop-"));

// The DNS of shelter.test, as its owner edits it.
const zone = () => readFileSync("zone.txt", "utf8");
writeFileSync("zone.txt", "# Records of shelter.test: name, type, value\n");
const sandbox = await startSandbox({
  httpPort: Number(PORT),
  zones: { "my-shop.test": "@ A 127.0.0.1\n*.cname A 127.0.0.1", "shelter.test": zone() },
});
watchFile("zone.txt", { interval: 200 }, () => {
  try {
    sandbox.setZone("shelter.test", zone());
    console.log("zone.txt is in use");
  } catch (error) {
    console.error(error.message);
  }
});
writeFileSync("root.pem", sandbox.root);

const { address, port } = sandbox.resolver;
const child = spawn(process.execPath, [join(import.meta.dirname, host)], {
  stdio: "inherit",
  env: {
    ...process.env,
    ADMIN_TOKEN: "try",
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    DATABASE: join(folder, "shop.sqlite"),
    ACME_DIRECTORY: sandbox.directoryUrl,
    ACME_CA_FILE: "root.pem",
    DNS_SERVER: `${address}:${port}`,
    NAME_SERVER_PORT: String(port),
    PRIVATE_NETWORKS: "1",
    PUBLIC_PORT: PORT,
    PUBLIC_HTTPS_PORT: HTTPS_PORT,
  },
});
process.on("SIGINT", () => child.kill("SIGTERM"));
process.on("SIGTERM", () => child.kill("SIGTERM"));
const [code] = await once(child, "exit");
await sandbox.close();
rmSync(folder, { recursive: true });
process.exit(code ?? 1);
