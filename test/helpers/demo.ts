import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Demo } from "../../server/demo/start.ts";
import { command } from "./process.ts";

/** What `petstore demo --json` prints. */
export type ShownDemo = Omit<Demo, "stop"> & { readonly pid: number };

/** A demo in a child process. */
export interface RunningDemo {
  /** Resolves when it has started; rejects if it ends before. */
  readonly shown: Promise<ShownDemo>;
  /** Its errors so far. */
  errors(): string;
  /** Sends a signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number>;
}

/** A directory for temporary files, for demos alone. */
export interface DemoGround extends AsyncDisposable {
  readonly path: string;
  /** Starts a demo on any free port. */
  start(): RunningDemo;
}

/** Creates the directory. Its disposal kills the demos that run. */
export async function demoGround(): Promise<DemoGround> {
  const path = await mkdtemp(join(tmpdir(), "pet-"));
  const running = new Set<Bun.Subprocess>();
  return {
    path,
    start: () => {
      const child = Bun.spawn([...command, "demo", "--port", "0", "--json"], {
        cwd: path,
        env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", TMPDIR: path },
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      let [output, errors] = ["", ""];
      const started = Promise.withResolvers<ShownDemo>();
      const collect = async (): Promise<void> => {
        const decoder = new TextDecoder();
        for await (const chunk of child.stdout) {
          output += decoder.decode(chunk, { stream: true });
          if (output.endsWith("}\n")) started.resolve(JSON.parse(output));
        }
        started.reject(new Error(`the demo ended:\n${errors}`));
      };
      const collectErrors = async (): Promise<void> => {
        const decoder = new TextDecoder();
        for await (const chunk of child.stderr) errors += decoder.decode(chunk, { stream: true });
      };
      const collected = Promise.all([collect(), collectErrors()]);
      started.promise.catch(() => undefined);
      return {
        shown: started.promise,
        errors: () => errors,
        end: async (signal) => {
          child.kill(signal);
          const code = await child.exited;
          await collected;
          running.delete(child);
          return code;
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(Array.from(running, ({ exited }) => exited));
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** The ports that a demo listens on, as its addresses say. */
export function portsOf({ link, dashboard, site }: ShownDemo): readonly number[] {
  return [link, dashboard, site].map((address) => Number(new URL(address).port));
}
