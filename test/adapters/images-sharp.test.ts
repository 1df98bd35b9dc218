import { describe } from "bun:test";

import { join } from "node:path";

import { sharpImages, type Sharp } from "../../adapters/images/sharp.ts";
import { imagesContract } from "../../testing/index.ts";
import { describeContract } from "../contract/run.ts";
import { installedApart } from "../helpers/nested.ts";
import { pixelsOf } from "../helpers/pixels.ts";

const found = await installedApart("sharp", "0.35.5");
const lacking = "lacking" in found ? found.lacking : undefined;

describe.skipIf(lacking !== undefined)(
  `sharp${lacking === undefined ? "" : ` (${lacking})`}`,
  () => {
    describeContract(
      "sharpImages as images",
      imagesContract(async () => {
        const folder = "folder" in found ? found.folder : "";
        const { default: sharp }: { readonly default: Sharp } = await import(
          join(folder, "node_modules/sharp")
        );
        return { images: sharpImages(sharp), pixels: pixelsOf };
      }),
    );
  },
);
