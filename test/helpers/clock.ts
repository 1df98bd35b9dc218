export { manualClock, type ManualClock } from "../../lib/testing/clock.ts";
