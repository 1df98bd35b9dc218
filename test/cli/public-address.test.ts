import { expect, test } from "bun:test";

import {
  baseAddress,
  cnameTarget,
  domainAddress,
  hasOwnHttps,
  publicServers,
  siteAddress,
} from "../../settings/public-address.ts";
import { loadSettings } from "../../settings/load.ts";

async function settingsOf(flags: Readonly<Record<string, string>>) {
  return (await loadSettings({ flags, environment: {} })).settings;
}

const BASE = { "base-domain": "petstore.example", "public-http-port": "80" };

test("without HTTPS public addresses begin with http://", async () => {
  const settings = await settingsOf(BASE);
  expect(baseAddress(settings)).toBe("http://petstore.example");
  expect(siteAddress(settings)("cats")).toBe("http://cats.petstore.example");
});

test("with HTTPS public addresses begin with https:// and have the public port", async () => {
  const listening = await settingsOf({ ...BASE, "listen-https": ":8443" });
  expect(publicServers(listening)).toEqual({
    production: "https://petstore.example:8443/v1",
    staging: "https://staging.petstore.example:8443/v1",
  });
  expect(baseAddress(listening, { https: 9443 })).toBe("https://petstore.example:9443");
  const passed = await settingsOf({
    ...BASE,
    "listen-https": ":8443",
    "public-https-port": "443",
  });
  expect(siteAddress(passed, { https: 8443 })("cats")).toBe("https://cats.petstore.example");
  expect(domainAddress(passed, { https: 8443 })("pets.shelter.org")).toBe(
    "https://pets.shelter.org",
  );
});

test.each([
  [true, { acme: "internal" }],
  [false, {}],
  [true, { "base-domain": "petstore.example" }],
  [false, { "base-domain": "192.0.2.1", acme: "internal" }],
  [true, { "tls-cert-file": "c", "tls-key-file": "k" }],
])("whether our own hosts have certificates: %p with %j", async (has, flags) => {
  expect(hasOwnHttps(await settingsOf({ "listen-https": ":443", ...flags }))).toBe(has);
});

test("custom domains point to cname below the base domain, or to the configured target", async () => {
  expect(cnameTarget(await settingsOf(BASE))).toBe("cname.petstore.example");
  expect(cnameTarget(await settingsOf({ "base-domain": "192.0.2.1" }))).toBe("cname.localhost");
  expect(cnameTarget(await settingsOf({ ...BASE, "cname-target": "To.Example.org." }))).toBe(
    "to.example.org",
  );
});
