import { expect, test } from "bun:test";

import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";

import { newTokenFile, readTokenFile } from "../../cli/token-file.ts";
import { rejection } from "../helpers/rejection.ts";
import { scratch } from "./installation.ts";

async function file(content: string, mode = 0o600): Promise<string> {
  const path = join(await scratch(), "token");
  await Bun.write(path, content);
  await chmod(path, mode);
  return path;
}

test("a token is read without its line break", async () => {
  expect(await readTokenFile(await file("pet_manage_abc\n"))).toBe("pet_manage_abc");
  expect(await readTokenFile(await file("pet_manage_abc", 0o400))).toBe("pet_manage_abc");
});

test.each([0o640, 0o604, 0o620, 0o666])("a token file with mode %o is refused", async (mode) => {
  const path = await file("pet_manage_abc", mode);
  const error = await rejection(readTokenFile(path));
  expect(error).toMatchObject({ exit: "denied" });
  expect(String(error)).toContain(`chmod 600 ${path}`);
  expect(String(error)).not.toContain("pet_manage_abc");
});

test.each(["", "two words", "line\nline", "x".repeat(201), "x".repeat(10_000), "a\u0000b"])(
  "a malformed token is refused, and the error does not repeat it",
  async (content) => {
    const error = await rejection(readTokenFile(await file(content)));
    expect(error).toMatchObject({ exit: "configuration" });
    expect(String(error)).toEndWith("contains no management token.");
  },
);

test("the error for a missing token file names the file", async () => {
  const path = join(await scratch(), "nothing");
  expect(await rejection(readTokenFile(path))).toMatchObject({
    exit: "configuration",
    message: `The token file ${path} cannot be read: no such file or directory.`,
  });
});

test("a new token file is readable by its owner only, whatever the umask", async () => {
  const path = join(await scratch(), "token");
  const umask = process.umask(0);
  const made = await newTokenFile(path).finally(() => process.umask(umask));
  await made.write("pet_manage_abc");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readTokenFile(path)).toBe("pet_manage_abc");
});

test("an existing token file is not overwritten, and an unused new one is deleted", async () => {
  const path = await file("mine");
  expect(String(await rejection(newTokenFile(path)))).toContain("the file exists");
  expect(await Bun.file(path).text()).toBe("mine");
  const other = `${path}2`;
  await (await newTokenFile(other)).discard();
  expect(await Bun.file(other).exists()).toBe(false);
});
