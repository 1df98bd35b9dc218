import { fuzzGroup } from "./kit/describe.ts";

await fuzzGroup("tables");
