export { manualClock, type ManualClock } from "./clock.ts";
