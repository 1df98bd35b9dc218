import { open } from "node:fs/promises";

/** Makes the names in a directory durable: without it a crash may lose a file whose contents were synced. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
