import { dictionary } from "@zxcvbn-ts/language-common";

/**
 * The list of leaked passwords, the most frequent first, one in a line, compressed and in base64. Run as a macro: what
 * it returns stands in the program that is built, and nothing of the package does.
 */
export function leakedList(): string {
  const lines = dictionary["passwords-common"].join("\n");
  return Buffer.from(Bun.gzipSync(lines)).toString("base64");
}
