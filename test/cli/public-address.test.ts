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

test("without HTTPS addresses are of plain HTTP", async () => {
  const settings = await settingsOf(BASE);
  expect(baseAddress(settings)).toBe("http://petstore.example");
  expect(siteAddress(settings)("cats")).toBe("http://cats.petstore.example");
});

test("with HTTPS addresses are of HTTPS, by the port that visitors see", async () => {
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

test("custom domains lead below a name of their own", async () => {
  expect(cnameTarget(await settingsOf(BASE))).toBe("cname.petstore.example");
  expect(cnameTarget(await settingsOf({ "base-domain": "192.0.2.1" }))).toBe("cname.localhost");
  expect(cnameTarget(await settingsOf({ ...BASE, "cname-target": "To.Example.org." }))).toBe(
    "to.example.org",
  );
});
