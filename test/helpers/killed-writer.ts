import type { Chance } from "./chance.ts";

const WRITER = Bun.fileURLToPath(new URL("../adapters/blobs-writer.ts", import.meta.url));

/** Starts a process that stores blobs, and kills it after at most `most` of them, `rounds` times. Returns the sizes of what it stored, by name. */
export async function storedByKilled(
  rounds: number,
  dice: Chance,
  most: number,
  ...args: readonly string[]
): Promise<ReadonlyMap<string, number>> {
  const named = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const child = Bun.spawn([process.execPath, WRITER, ...args], { stdout: "pipe" });
    const wanted = named.size + dice.between(1, most);
    let output = "";
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk);
      const lines = output.split("\n");
      output = lines.pop() ?? "";
      for (const line of lines) named.set(line.slice(0, 64), Number(line.slice(65)));
      if (named.size >= wanted) child.kill("SIGKILL");
    }
    await child.exited;
  }
  return named;
}
