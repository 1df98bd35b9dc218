import { describe, expect, test } from "bun:test";

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";

import { directoryBlobs } from "../../adapters/files/blobs.ts";
import { nodeHandler } from "../../adapters/hosts/node.ts";
import { sharpImages } from "../../adapters/images/sharp.ts";
import { nodeSqliteStore } from "../../adapters/sqlite/node.ts";
import { createPetstore, type Petstore, type PetstoreOptions } from "../../lib/index.ts";
import { folders } from "../helpers/folders.ts";
import { installedApart } from "../helpers/nested.ts";
import { must } from "../helpers/outcome.ts";
import { exifOf, exifSegment, jpegOf, jpegWith } from "../helpers/pictures.ts";

const { folder: scratch } = folders();

const found = await installedApart("sharp", "0.35.5");
const lacking = "lacking" in found ? found.lacking : undefined;

/** Runs the manual's host in a folder, at any port. */
async function started(): Promise<{
  readonly base: string;
  readonly petstore: Petstore;
  readonly server: Server;
}> {
  const at = await scratch();
  const manual = await Bun.file(`${import.meta.dir}/../../docs/embedding.md`).text();
  const blocks = [...manual.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => code);
  const code = blocks.find((block) => block.includes("sharpImages(sharp)")) ?? "";
  const body = code.replace(/^import .*$/gm, "");
  const { default: sharp } = await import(
    join("folder" in found ? found.folder : "", "node_modules/sharp")
  );
  let petstore: Petstore | undefined;
  let server: Server | undefined;
  const given = {
    Readable,
    sharp,
    sharpImages,
    nodeHandler,
    createPetstore: (options: PetstoreOptions) => (petstore = createPetstore(options)),
    nodeSqliteStore: ({ path }: { readonly path: string }) =>
      nodeSqliteStore({ path: join(at, path) }),
    directoryBlobs: ({ path }: { readonly path: string }) =>
      directoryBlobs({ path: join(at, path) }),
    createServer: (listener: RequestListener) => {
      const made = createServer(listener);
      server = made;
      return { listen: () => made.listen(0, "127.0.0.1") };
    },
  };
  // oxlint-disable-next-line no-empty-function, typescript/no-unsafe-type-assertion
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await AsyncFunction(...Object.keys(given), body)(...Object.values(given));
  if (petstore === undefined || server === undefined) throw new Error("The manual has no host.");
  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, petstore, server };
}

describe.skipIf(lacking !== undefined)(
  `the manual's host with photos${lacking ? ` (${lacking})` : ""}`,
  () => {
    test("adds a photo and shows it at its address below the mount", async () => {
      const { base, petstore, server } = await started();
      try {
        const pet = must(await petstore.client.pets.create({ name: "Bella", categoryId: 1 }));
        const jpeg = jpegWith(await jpegOf({ width: 900, height: 600 }), exifSegment(exifOf(6)));
        const send = (body: Uint8Array): Promise<Response> =>
          fetch(`${base}/admin/pets/${pet.id}/photos`, {
            method: "POST",
            body: Uint8Array.from(body),
          });
        expect((await send(jpeg)).status).toBe(201);
        const refused = await send(jpeg.subarray(0, -20));
        expect([refused.status, await refused.json()]).toMatchObject([
          400,
          { code: "invalid_picture" },
        ]);

        const { token } = must(await petstore.client.keys.create({}));
        const list = await fetch(`${base}/shelter/v1/pets?include=profile`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const [{ profile }] = await list.json();
        const [photo] = profile.photos;
        expect(photo).toMatchObject({ alt: "Our animal", width: 600, height: 900 });
        for (const { url, type, width, height } of photo.sizes) {
          expect(url).toStartWith(`${base}/shelter/v1/photos/`);
          const picture = await fetch(url);
          expect(picture.headers.get("content-type")).toBe(type);
          const shown = await new Bun.Image(await picture.bytes()).metadata();
          expect([shown.width, shown.height]).toEqual([width, height]);
        }
      } finally {
        server.close();
        await petstore.close();
      }
    });
  },
);
