import { choice, count, instant, listOf, shape, text } from "../../base/shape.ts";
import { environments } from "../../model/account.ts";

export const usageRowsShape = listOf(
  "UsageRows",
  shape("UsageRow", {
    keyId: text(),
    environment: choice(environments),
    operation: text("As in the public API's description: `listPets`."),
    at: instant("Start of the minute or UTC day."),
    requests: count("All requests, however they ended."),
    limited: count("Of these, refused for a limit or a ban (429)."),
    refused: count("Of these, refused for another reason (4xx)."),
    failed: count("Of these, failed by a fault of the service (5xx)."),
  }),
);
