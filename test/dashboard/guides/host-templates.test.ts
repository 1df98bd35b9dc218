import { expect, test } from "bun:test";

import { bundled } from "../../../dashboard/guides/bundled.ts";
import { hostTemplates, ourDescription } from "../../../dashboard/guides/serve.ts";
import type { GuideHost } from "../../../dashboard/guides/guides.ts";
import { referenceOf } from "../../../dashboard/reference/model/reference.ts";
import { referencePage } from "../../../dashboard/reference/view/page.ts";

const reference = referenceOf(ourDescription());
let written = 0;
const write = (host: GuideHost): string => {
  written++;
  return referencePage(reference, { ...host, ...bundled.parts, script: "/docs/assets/try.js" });
};
const at = (origin: string, staging: string, help = ""): GuideHost => ({
  origin,
  production: `${origin}/v1`,
  staging: `${staging}/v1`,
  help,
  dashboard: help === "",
});

const hosts = [
  at("https://pets.example.org", "https://staging.pets.example.org"),
  at("http://localhost:8080", "http://localhost:8081"),
  at("http://[2001:db8::7]:8080", "http://[2001:db8::7]:8081"),
  at("https://pets.shelter.org", "https://staging.pets.example.org", "https://pets.example.org"),
];

test.each(hosts)("at $origin a filled template equals the page written for it", (host) => {
  expect(hostTemplates(write)(host)).toBe(write(host));
});

test("the page is written once for any number of host names", () => {
  const pageAt = hostTemplates(write);
  written = 0;
  const pages = Array.from({ length: 50 }, (_, port) =>
    pageAt(at(`http://localhost:${port}`, "http://localhost:8081")),
  );
  expect([written, new Set(pages).size]).toEqual([1, 50]);
});
