import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns a function that calls `make` once for all processes of a suite: the first caller makes the result, the others
 * wait for its file in the directory that the suite's files share. Without a suite, once per process: `shared` says which.
 */
export function oncePerSuite<Value extends string | undefined>(
  name: string,
  make: (shared: boolean) => Promise<Value>,
): () => Promise<Value> {
  const shared = process.env["TEST_SHARED"];
  const inSuite = async (directory: string): Promise<Value> => {
    const result = join(directory, `${name}.json`);
    const isFirst = await mkdir(join(directory, name)).then(
      () => true,
      () => false,
    );
    if (isFirst) {
      const made = await make(true).then(
        (value) => ({ value }),
        (error: unknown) => ({ error: String(error) }),
      );
      await Bun.write(`${result}.part`, JSON.stringify(made));
      await rename(`${result}.part`, result);
    }
    // A BunFile would remember that it was missing.
    while (!(await Bun.file(result).exists())) await Bun.sleep(50);
    const made: { readonly value: Value; readonly error?: string } = await Bun.file(result).json();
    if (made.error !== undefined) throw new Error(made.error);
    return made.value;
  };
  let made: Promise<Value> | undefined;
  return () => (made ??= shared === undefined ? make(false) : inSuite(shared));
}
