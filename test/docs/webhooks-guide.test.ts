import { expect, test } from "bun:test";

import { eventData } from "../../lib/events/event-data.ts";
import { eventTypes } from "../../lib/model/event-types.ts";
import { deliveryFaults } from "../../lib/webhooks/model.ts";
import { section } from "../helpers/section.ts";

const guide = "docs/webhooks.md";

test("the guide lists every type of event with an example of its data", async () => {
  const rows = eventTypes.map((type) => {
    const { when, example } = eventData[type];
    return `| \`${type}\` | ${when} | \`${JSON.stringify(example).replaceAll("|", "\\|")}\` |`;
  });
  const table = ["| type | sent when | `data`, for example |", "|---|---|---|", ...rows].join("\n");
  expect(await section(guide, "events", table)).toBe(table);
});

test("the guide explains every fault", async () => {
  const text = await Bun.file(new URL(`../../${guide}`, import.meta.url)).text();
  const explained = [...text.matchAll(/^\| `(\w+)` \| [^`|]+ \|$/gm)].map(([, fault]) => fault);
  expect(explained).toEqual([...deliveryFaults]);
});
