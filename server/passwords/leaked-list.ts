import { dictionary } from "@zxcvbn-ts/language-common";

/**
 * Returns the leaked passwords, the most frequent first, one per line, gzipped, in base64. Run as a macro: the built
 * program contains the result, and not the package.
 */
export function leakedList(): string {
  const lines = dictionary["passwords-common"].join("\n");
  return Buffer.from(Bun.gzipSync(lines)).toString("base64");
}
