import { describe, expect, test } from "bun:test";

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { api } from "../helpers/api.ts";
import { startProgram } from "../helpers/process.ts";
import { durabilityOf, watched } from "../helpers/strace.ts";
import { tarGzOf } from "../helpers/tar.ts";
import { folders } from "../helpers/folders.ts";

const { folder: scratch } = folders();

const options = ["-f", "-y", "--seccomp-bpf", "-s", "64", "-e", `trace=${watched}`];
const traceable =
  Bun.which("strace") !== null &&
  Bun.spawnSync(["strace", "-f", "-o", "/dev/null", "true"], {
    stdio: ["ignore", "ignore", "ignore"],
  }).exitCode === 0;

describe.skipIf(!traceable && process.env["CI"] !== "true")(
  "system calls (needs permission to trace)",
  () => {
    test("nothing is acknowledged before it is on disk: creates, deploys, keys, the internal CA", async () => {
      const root = await scratch();
      const trace = join(await scratch(), "trace");
      const dataDir = join(root, "deep", "data");
      const args = ["--listen-https", "127.0.0.1:0", "--acme", "internal"];
      await using server = await startProgram({
        dataDir,
        args,
        under: ["strace", ...options, "-o", trace],
      });
      const unix = join(dataDir, "petstore.sock");
      const operator = api({
        fetch: (request) => fetch(request, { unix }),
        base: "http://petstore",
      });
      const created = async <Body>(path: string, body: unknown): Promise<Body> => {
        const reply = await operator.post<Body>(`/manage/v1${path}`, body);
        expect(reply.status, reply.text).toBe(201);
        return reply.body;
      };
      const { id } = await created<{ id: string }>("/accounts", { name: "A" });
      const { key } = await created<{ key: string }>(`/accounts/${id}/keys`, {
        environment: "staging",
      });
      const staging = /listening on (http:\/\/[\d.:]+)","environment":"staging"/.exec(
        server.output(),
      );
      const shop = api({ base: staging?.[1] ?? "", key });
      for (let pet = 0; pet < 5; pet++) {
        expect((await shop.post("/v1/pets", { name: "Rex", categoryId: 1 })).status).toBe(201);
      }
      const project = await created<{ id: string }>(`/accounts/${id}/projects`, { name: "Site" });
      const sent = await operator.raw("POST", `/manage/v1/projects/${project.id}/deploys`, {
        body: tarGzOf([
          { name: "index.html", content: "<p>1</p>" },
          { name: "a/b.css", content: "a{}" },
          { name: "c.txt", content: "c" },
        ]),
        headers: { "content-type": "application/gzip" },
      });
      expect(sent.status, sent.text).toBe(201);
      // The child is strace, which ends with the server, and with its exit code.
      process.kill((await operator.get<{ pid: number }>("/")).body.pid, "SIGTERM");
      expect(await server.end("SIGCONT")).toBe(0);

      const { faults, renamed, promises } = durabilityOf(await readFile(trace, "utf8"), root);
      expect(faults).toEqual([]);
      const names = renamed.map((path) => path.slice(dataDir.length + 1));
      expect(names.slice(0, 3)).toEqual(["encryption.key", "internal-ca.key", "internal-ca.crt"]);
      const blobs = names.slice(3);
      expect(blobs.length).toBeGreaterThanOrEqual(3);
      for (const blob of blobs) expect(blob).toMatch(/^blobs\/[\da-f]{2}\/[\da-f]{62}$/);
      // Account, key, five animals, project and deploy: each in its own commit.
      const acknowledged = promises.filter(({ said }) => said === "HTTP/1.1 201");
      expect(acknowledged).toHaveLength(9);
      for (const { logWrites, logSyncs } of acknowledged) {
        expect(logWrites).toBeGreaterThan(0);
        expect(logSyncs).toBeGreaterThan(0);
      }
    });

    test("token files, exports and copies before an upgrade are on disk when they are reported", async () => {
      const root = await scratch();
      const trace = join(await scratch(), "trace");
      const child = Bun.spawn(["strace", ...options, "-o", trace, process.execPath, WRITER, root], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      expect(await child.exited, await new Response(child.stderr).text()).toBe(0);
      const { faults, renamed, promises } = durabilityOf(await readFile(trace, "utf8"), root);
      expect(faults).toEqual([]);
      expect(renamed.map((path) => path.slice(root.length + 1))).toEqual([
        "export.csv",
        "shop.db.before-upgrade.20260701T120000000Z.shop-1-to-2",
      ]);
      expect(promises.map(({ said }) => said)).toEqual(["DONE token", "DONE export", "DONE copy"]);
    });
  },
);

const WRITER = join(import.meta.dir, "durability/writer.ts");

describe("a trace", () => {
  const judge = (...lines: readonly string[]) =>
    durabilityOf(lines.map((line) => `10 ${line}`).join("\n"), "/r").faults;
  const answer = 'sendto(9<socket:[1]>, "HTTP/1.1 201 Created"..., 99, 0, NULL, 0) = 99';

  test("of a response after the sync of the log is valid", () => {
    expect(
      judge(
        'pwrite64(7</r/petstore.db-wal>, "x"..., 24, 0) = 24',
        "fdatasync(7</r/petstore.db-wal>) = 0",
        answer,
      ),
    ).toEqual([]);
  });

  test.each<[string, readonly string[], string]>([
    [
      "a commit without a sync",
      ['pwrite64(7</r/petstore.db-wal>, "x"..., 24, 0) = 24', answer],
      "HTTP/1.1 201, but /r/petstore.db-wal is not synced",
    ],
    [
      "a sync that began before the write ended",
      [
        "fsync(7</r/petstore.db-wal> <unfinished ...>",
        'pwrite64(7</r/petstore.db-wal>, "x"..., 24, 0) = 24',
        "<... fsync resumed>) = 0",
        answer,
      ],
      "HTTP/1.1 201, but /r/petstore.db-wal is not synced",
    ],
    [
      "a sync that failed",
      [
        'pwrite64(7</r/petstore.db-wal>, "x"..., 24, 0) = 24',
        "fsync(7</r/petstore.db-wal>) = -1 EIO (Input/output error)",
        answer,
      ],
      "HTTP/1.1 201, but /r/petstore.db-wal is not synced",
    ],
    [
      "a rename before the sync",
      [
        'write(7</r/a.new>, "x", 1) = 1',
        'rename("/r/a.new", "/r/a") = 0',
        "fsync(8</r>) = 0",
        answer,
      ],
      "/r/a got its name before it was synced",
    ],
    [
      "a name that is not synced",
      ['rename("/r/a.new", "/r/a") = 0', answer],
      "HTTP/1.1 201, but the name /r/a is not synced",
    ],
    [
      "a directory whose name is not synced",
      ['mkdir("/r/a", 0700) = 0', "fsync(8</r/a>) = 0", answer],
      "HTTP/1.1 201, but the name /r/a is not synced",
    ],
  ])("shows %s", (_what, lines, fault) => {
    expect(judge(...lines)).toEqual([fault]);
  });
});
