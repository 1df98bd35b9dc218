import { memoryBlobs } from "../../../lib/publishing/memory-blobs.ts";
import { describeBlobs } from "../../contract/blobs.ts";
import { manualClock } from "../../helpers/clock.ts";

describeBlobs("memoryBlobs", () => {
  const clock = manualClock(Date.UTC(2026, 10, 20, 9, 30));
  return { clock, blobs: memoryBlobs({ clock }) };
});
