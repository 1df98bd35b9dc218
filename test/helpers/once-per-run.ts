import { mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns a function that calls `make` once for all processes of a run: the first caller makes the result, the others wait for
 * its file in the directory that all suites share, which `make` may use too. Without a runner, once per process.
 */
export function oncePerRun<Value extends string | undefined>(
  name: string,
  make: (shared?: string) => Promise<Value>,
): () => Promise<Value> {
  const shared = process.env["TEST_SHARED"];
  const inRun = async (directory: string): Promise<Value> => {
    const result = join(directory, `${name}.json`);
    const isFirst = await mkdir(join(directory, name)).then(
      () => true,
      () => false,
    );
    const maker = join(directory, name, "pid");
    if (isFirst) {
      await Bun.write(maker, String(process.pid));
      const made = await make(directory).then(
        (value) => ({ value }),
        (error: unknown) => ({ error: String(error) }),
      );
      await Bun.write(`${result}.part`, JSON.stringify(made));
      await rename(`${result}.part`, result);
    }
    // A BunFile would remember that it was missing.
    const isMade = (): Promise<boolean> => Bun.file(result).exists();
    while (!(await isMade())) {
      const pid = await readFile(maker, "utf8").catch(() => "");
      if (pid !== "" && !runs(Number(pid)) && !(await isMade())) {
        throw new Error(`The process that was making "${name}" has ended.`);
      }
      await Bun.sleep(50);
    }
    const made: { readonly value: Value; readonly error?: string } = await Bun.file(result).json();
    if (made.error !== undefined) throw new Error(made.error);
    return made.value;
  };
  let made: Promise<Value> | undefined;
  return () => (made ??= shared === undefined ? make() : inRun(shared));
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
