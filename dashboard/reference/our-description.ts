import { describe } from "../../lib/http/describe.ts";
import { endpoints } from "../../lib/http/endpoints.ts";
import type { Description } from "./model/description.ts";

/** The description of the public API; its servers are named by whoever shows it. */
export function ourDescription(): Description {
  const written: unknown = describe(endpoints, { production: "/v1", staging: "/v1" });
  // Made by describe.ts, which writes no other members; a test reads all of them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return written as Description;
}
