export { manualClock, type ManualClock } from "../../testing/clock.ts";
