import { expect, test } from "bun:test";

import Ajv2020 from "ajv/dist/2020.js";

import { siteFileJsonSchema } from "../../lib/publishing/model/site-file.ts";

const PAGE = new URL("../../docs/petstore.site.schema.json", import.meta.url);

const written = JSON.stringify(siteFileJsonSchema(), undefined, 2);

test("docs/petstore.site.schema.json is the schema used to check site files", async () => {
  if (process.env["UPDATE_DOCS"] === "1") await Bun.write(PAGE, `${written}\n`);
  expect(await Bun.file(PAGE).json()).toEqual(JSON.parse(written));
});

test("the schema is valid and detects mistakes in an editor", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(written));
  const fits = (value: unknown): boolean => validate(value);
  expect(fits({ $schema: "./petstore.site.schema.json", title: "Rex", storefront: false })).toBe(
    true,
  );
  expect(fits({ headers: [{ for: "/*", values: { "X-Robots-Tag": "noindex" } }] })).toBe(true);
  expect(fits({ titel: "Rex" })).toBe(false);
  expect(fits({ theme: { accent: "red" } })).toBe(false);
  expect(fits({ storefront: true })).toBe(false);
  expect(fits({ redirects: [{ from: "old", to: "/new" }] })).toBe(false);
  expect(fits({ headers: [{ for: "/*", values: { "Set-Cookie": "a=b" } }] })).toBe(false);
});
