import { memoryBlobs } from "../../../lib/publishing/memory-blobs.ts";
import { blobsContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { manualClock } from "../../helpers/clock.ts";

describeContract(
  "memoryBlobs as blobs",
  blobsContract(() => {
    const clock = manualClock(Date.UTC(2026, 10, 20, 9, 30));
    return { clock, blobs: memoryBlobs({ clock }) };
  }),
);
