import { expect, test } from "bun:test";

import { join } from "node:path";

import { statusOf } from "../../../domains/model/domain-state.ts";
import { torture } from "../../helpers/chance.ts";
import { serveAuthority } from "../../helpers/domains/remote-authority.ts";
import { openWorld } from "../../helpers/domains/world.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

const ROUNDS = torture ? 1_000 : 50;
const LIMIT_MS = torture ? 1_200_000 : 600_000;
const RACER = join(import.meta.dir, "../../helpers/domains/racer.ts");

/** A process that receives domain names and reports live ones. */
interface Racer {
  /** The next line of its output. */
  line(): Promise<string>;
  send(domainId: string): void;
  /** Resolves with its exit code when it has finished. */
  end(): Promise<number>;
  kill(): void;
}

function startRacer(...args: readonly string[]): Racer {
  const child = Bun.spawn([process.execPath, RACER, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  return {
    line: async () => {
      while (!said.includes("\n")) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`it ended with ${await child.exited}`);
        said += value;
      }
      const end = said.indexOf("\n");
      const line = said.slice(0, end);
      said = said.slice(end + 1);
      return line;
    },
    send: (domainId) => {
      void child.stdin.write(`${domainId}\n`);
      void child.stdin.flush();
    },
    end: async () => {
      await child.stdin.end();
      return child.exited;
    },
    kill: () => child.kill("SIGKILL"),
  };
}

test(
  `two system processes that verify a name at once create one order, ${ROUNDS} times`,
  async () => {
    const path = file();
    const world = await openWorld(path);
    const { authority, clock } = world;
    const countOf = (what: string): number =>
      authority.calls.filter((call) => call === what).length;
    await using remote = serveAuthority(authority);
    const racers = [0, 1].map(() => startRacer(path, remote.url, authority.id));
    try {
      for (const racer of racers) expect(await racer.line()).toBe("ready");
      const tookPart = new Set<number>();
      for (let round = 1; round <= ROUNDS; round++) {
        // They use the system clock.
        clock.set(Date.now());
        const { id, name } = await world.add(round);
        for (const racer of racers) racer.send(id);
        const lines = await Promise.all(racers.map((racer) => racer.line()));
        for (const [index, line] of lines.entries()) {
          const [of, did] = line.split(" ");
          expect(of).toBe(id);
          if (did !== "0") tookPart.add(index);
        }
        const domain = await world.domain(id);
        expect(statusOf(domain, Date.now())).toBe("live");
        expect([countOf(`newOrder ${name}`), countOf(`finalize ${name}`)]).toEqual([1, 1]);
        const timeline = await world.domains.timeline.of(id, 50);
        expect(timeline.filter(({ kind }) => kind === "issued")).toHaveLength(1);
      }
      expect(countOf("createAccount ")).toBe(1);
      expect(tookPart.size).toBe(2);
      expect(await Promise.all(racers.map((racer) => racer.end()))).toEqual([0, 0]);
    } finally {
      for (const racer of racers) racer.kill();
      await world.close();
    }
  },
  LIMIT_MS,
);
