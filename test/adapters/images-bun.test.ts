import { bunImages } from "../../adapters/images/bun.ts";
import { imagesContract } from "../../testing/index.ts";
import { describeContract } from "../contract/run.ts";
import { pixelsOf } from "../helpers/pixels.ts";

describeContract(
  "bunImages as images",
  imagesContract(() => ({ images: bunImages, pixels: pixelsOf })),
);
