import { constants } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Written beside and renamed: there is never half a secret under the name, and never one that a crash takes back. */
export async function writeSecret(path: string, text: string): Promise<void> {
  const beside = `${path}.new`;
  const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
  const file = await open(beside, O_CREAT | O_TRUNC | O_WRONLY, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  const directory = await open(dirname(path), constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
