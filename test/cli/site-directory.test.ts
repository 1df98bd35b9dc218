import { expect, test } from "bun:test";

import { mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";

import { siteDirectory, upload } from "../../cli/site-directory.ts";
import { MAX_ENTRIES, MAX_FILE_BYTES } from "../../lib/publishing/index.ts";
import { rejection } from "../helpers/rejection.ts";
import { scratch } from "./installation.ts";

/** Creates a directory with these files. */
async function directory(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await scratch();
  for (const [path, content] of Object.entries(files)) await Bun.write(join(root, path), content);
  return root;
}

const paths = ({ files }: { readonly files: readonly { readonly path: string }[] }) =>
  files.map(({ path }) => path);

/** Returns the contents of an archive by path. */
async function contents(archive: ReadableStream<Uint8Array>): Promise<Record<string, string>> {
  const bytes = await new Response(archive).bytes();
  const files = await new Bun.Archive(bytes).files();
  const found = [...files].map(async ([path, file]) => [path, await file.text()] as const);
  return Object.fromEntries(await Promise.all(found));
}

test("dotfiles and links are skipped and listed, except /.well-known", async () => {
  const root = await directory({
    "index.html": "<h1>",
    ".env": "SECRET",
    ".git/config": "x",
    ".well-known/security.txt": "Contact",
    ".well-known/.hidden": "x",
    "deep/.well-known/a": "x",
    "deep/er/page.html": "p",
  });
  await symlink("/etc/passwd", join(root, "passwd"));
  await symlink("/etc", join(root, "deep/etc"));
  const found = await siteDirectory(root);
  expect(paths(found)).toEqual([".well-known/security.txt", "deep/er/page.html", "index.html"]);
  expect(found.bytes).toBe("Contact".length + "p".length + "<h1>".length);
  expect(found.leftOut).toEqual([
    ".env",
    ".git",
    ".well-known/.hidden",
    "deep/.well-known",
    "deep/etc",
    "passwd",
  ]);
});

test("a named pipe is skipped without waiting for a writer", async () => {
  const root = await directory({ "index.html": "x" });
  await Bun.$`mkfifo ${join(root, "pipe")}`;
  expect((await siteDirectory(root)).leftOut).toEqual(["pipe"]);
});

test.each([
  [{}, "is empty"],
  [{ ".env": "x" }, "has no files except .env"],
])(
  "a directory with the files %j is refused because nothing can be published",
  async (files, words) => {
    const root = await directory(files);
    const error = await rejection(siteDirectory(root));
    expect(error).toMatchObject({ exit: "usage", message: expect.stringContaining(words) });
  },
);

test("a path that is missing or not a directory is refused", async () => {
  const root = await directory({ "index.html": "x" });
  const absent = join(root, "nothing");
  expect(await rejection(siteDirectory(absent))).toMatchObject({
    exit: "notFound",
    message: `The directory ${absent} does not exist.`,
  });
  expect(await rejection(siteDirectory(join(root, "index.html")))).toMatchObject({ exit: "usage" });
});

test(`a site of more than ${MAX_ENTRIES} files is refused`, async () => {
  const root = await scratch();
  const nested = join(root, "many");
  await mkdir(nested);
  const names = Array.from({ length: MAX_ENTRIES }, (_, index) => join(nested, `${index}.txt`));
  await Promise.all(names.map((name) => Bun.write(name, "x")));
  expect((await siteDirectory(root)).files).toHaveLength(MAX_ENTRIES);
  await Bun.write(join(root, "index.html"), "x");
  expect(await rejection(siteDirectory(root))).toMatchObject({
    message: expect.stringContaining("more than 5,000 files"),
  });
});

test("a file or a site over the size limit is refused before it is read", async () => {
  const root = await directory({ "film.mp4": "" });
  await truncate(join(root, "film.mp4"), MAX_FILE_BYTES);
  expect((await siteDirectory(root)).bytes).toBe(MAX_FILE_BYTES);
  await truncate(join(root, "film.mp4"), MAX_FILE_BYTES + 1);
  expect(String(await rejection(siteDirectory(root)))).toContain(
    "film.mp4 is larger than the limit of 25 MiB",
  );
  await truncate(join(root, "film.mp4"), MAX_FILE_BYTES);
  for (let film = 2; film <= 11; film++) {
    await Bun.write(join(root, `${film}.mp4`), "");
    await truncate(join(root, `${film}.mp4`), MAX_FILE_BYTES);
  }
  expect(String(await rejection(siteDirectory(root)))).toContain(
    `${root} is larger than the limit of 250 MiB`,
  );
});

test("upload packs every file unchanged and reports its progress", async () => {
  const large = "0123456789abcdef".repeat(100_000);
  const root = await directory({ "index.html": "<h1>", "large.txt": large, "empty.txt": "" });
  const site = await siteDirectory(root);
  const progress: (readonly [number, number])[] = [];
  const sending = upload(root, site, (files, bytes) => progress.push([files, bytes]));
  expect(await contents(sending.archive)).toEqual({
    "index.html": "<h1>",
    "large.txt": large,
    "empty.txt": "",
  });
  expect(progress.at(-1)).toEqual([3, large.length + 4]);
  expect(sending.sent).toBeGreaterThan(100);
  expect(sending.sent).toBeLessThan(large.length);
  expect(sending.failure).toBeUndefined();
});

test.each([10, 2_000_000])(
  "a file of %p bytes that changes during the upload is named in the error",
  async (size) => {
    for (const then of [size + 5, size - 5]) {
      const root = await directory({ "page.txt": "x".repeat(size) });
      const site = await siteDirectory(root);
      await truncate(join(root, "page.txt"), then);
      const sending = upload(root, site, () => undefined);
      expect(await rejection(new Response(sending.archive).bytes())).toBeDefined();
      expect(sending.failure).toMatchObject({
        message: expect.stringContaining(`${join(root, "page.txt")} changed while it was read`),
      });
    }
  },
);

test("a file that disappears before the upload is named in the error", async () => {
  const root = await directory({ "page.txt": "x" });
  const site = await siteDirectory(root);
  await Bun.file(join(root, "page.txt")).delete();
  const sending = upload(root, site, () => undefined);
  await rejection(new Response(sending.archive).bytes());
  expect(sending.failure).toMatchObject({
    message: expect.stringContaining("page.txt cannot be read: no such file or directory."),
  });
});
