import { expect, test } from "bun:test";

import { rm } from "node:fs/promises";

import { api } from "../helpers/api.ts";
import { torture } from "../helpers/chance.ts";
import { startProgram, temporaryDirectory } from "../helpers/process.ts";
import { issueKey, openAccount } from "./crash/clerk.ts";
import { endure, killed } from "./crash/endure.ts";

const ROUNDS = torture ? 100 : 6;
const LIMIT_MS = torture ? 1_800_000 : 600_000;

test(
  `${ROUNDS} times kill -9 with 64 writers lose nothing that was acknowledged`,
  async () => {
    const dataDir = await temporaryDirectory();
    try {
      await endure(dataDir, ROUNDS, killed);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);

test(
  "a reported ban survives kill -9",
  async () => {
    const dataDir = await temporaryDirectory();
    let program = await startProgram({ dataDir });
    try {
      const account = await openAccount(dataDir, "Impatient", { perMinute: 1, perDay: 1_000 });
      const { key } = await issueKey(dataDir, account);
      const errorCode = async (): Promise<string | undefined> => {
        const { body } = await api({ base: program.origin, key }).get<{ code?: string }>(
          "/v1/pets",
        );
        return body.code;
      };
      // A ban needs more than 20 requests later than 2 s after the first refusal.
      while ((await errorCode()) !== "key_banned") await Bun.sleep(20);
      await program.end("SIGKILL");
      program = await startProgram({ dataDir });
      expect(await errorCode()).toBe("key_banned");
    } finally {
      await program.end("SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);
