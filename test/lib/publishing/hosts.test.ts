import { expect, test } from "bun:test";

import {
  areaAt,
  hostTable,
  previewLabel,
  serviceAt,
  type HostOptions,
} from "../../../lib/publishing/hosts.ts";

const dns: HostOptions = {
  baseDomain: "pets.example.org",
  sitesDomain: "pets.example.org",
  anyName: false,
};
const apart: HostOptions = { ...dns, sitesDomain: "pets-sites.org" };
const laptop: HostOptions = { baseDomain: "localhost", sitesDomain: "localhost", anyName: true };
const byAddress: HostOptions = {
  baseDomain: "192.0.2.5",
  sitesDomain: "localhost",
  anyName: true,
};

function service(options: HostOptions, host: string, path: string): string {
  return serviceAt(hostTable(options)(host), areaAt(path));
}

const PATHS = [
  "/livez",
  "/v1/pets",
  "/manage/v1/accounts",
  "/setup",
  "/docs",
  "/docs/listPets.md",
  "/help",
  "/llms.txt",
  "/manage",
  "/.well-known/acme-challenge/x",
  "/",
  "/v10",
] as const;

const BASE =
  "state production management dashboard reference reference help help nothing nothing dashboard dashboard";
const STAGING =
  "state staging nothing nothing reference reference nothing nothing nothing nothing nothing nothing";
const PROJECT =
  "state production nothing site reference reference site site nothing nothing site site";
const PREVIEW = "state nothing nothing site nothing nothing site site nothing nothing site site";
const DEPLOY = "k3x9bq2mz7lt0a8fj2kq";
const UNKNOWN = `state${" nothing".repeat(PATHS.length - 1)}`;
const named = { dns, apart, laptop, byAddress };

test.each([
  ["dns", "pets.example.org", BASE],
  ["dns", "PETS.example.ORG.:8080", BASE],
  ["dns", "staging.pets.example.org", STAGING],
  ["dns", "brave-otter-1f2e.pets.example.org", PROJECT],
  ["dns", "Brave-Otter-1F2E.pets.example.org.:80", PROJECT],
  ["dns", "www.pets.example.org", UNKNOWN],
  ["dns", "ns1.pets.example.org", UNKNOWN],
  ["dns", "_acme.pets.example.org", UNKNOWN],
  ["dns", "a.brave-otter-1f2e.pets.example.org", UNKNOWN],
  ["dns", "staging.staging.pets.example.org", UNKNOWN],
  ["dns", "kq3--brave-otter-1f2e.pets.example.org", UNKNOWN],
  ["dns", `${DEPLOY}--brave-otter-1f2e.pets.example.org`, PREVIEW],
  ["dns", `${DEPLOY.toUpperCase()}--Brave-Otter-1f2e.pets.example.org`, PREVIEW],
  ["dns", `${DEPLOY}-brave-otter-1f2e.pets.example.org`, PROJECT],
  ["dns", `${DEPLOY}--www.pets.example.org`, UNKNOWN],
  ["dns", `${DEPLOY}--.pets.example.org`, UNKNOWN],
  ["dns", `${DEPLOY}--${DEPLOY}--cats.pets.example.org`, UNKNOWN],
  ["dns", `9${DEPLOY.slice(1)}--cats.pets.example.org`, UNKNOWN],
  ["laptop", `${DEPLOY}--cats.localhost:8080`, PREVIEW],
  ["apart", `${DEPLOY}--cats.pets.example.org`, UNKNOWN],
  ["dns", `${"a".repeat(64)}.pets.example.org`, UNKNOWN],
  ["dns", ".pets.example.org", UNKNOWN],
  ["dns", "evilpets.example.org", UNKNOWN],
  ["dns", "example.org", UNKNOWN],
  ["dns", "127.0.0.1", UNKNOWN],
  ["dns", "[::1]:8080", UNKNOWN],
  ["dns", "", UNKNOWN],
  ["apart", "pets.example.org", BASE],
  ["apart", "staging.pets.example.org", STAGING],
  ["apart", "brave-otter-1f2e.pets-sites.org", PROJECT],
  ["apart", "brave-otter-1f2e.pets.example.org", UNKNOWN],
  ["apart", "staging.pets-sites.org", UNKNOWN],
  ["apart", "pets-sites.org", UNKNOWN],
  ["laptop", "localhost:8080", BASE],
  ["laptop", "192.0.2.7:8080", BASE],
  ["laptop", "[::1]:8080", BASE],
  ["laptop", "petstore:8080", BASE],
  ["laptop", "", BASE],
  ["laptop", "staging.localhost:8080", STAGING],
  ["laptop", "brave-otter-1f2e.localhost:8080", PROJECT],
  ["dns", "brave-otter-1f2e.pets.example.org:evil", UNKNOWN],
  ["dns", "brave-otter-1f2e.pets.example.org:80:80", UNKNOWN],
  ["laptop", "www.localhost", UNKNOWN],
  ["laptop", "a.b.localhost", UNKNOWN],
  ["byAddress", "192.0.2.5", BASE],
  ["byAddress", "localhost", BASE],
  ["byAddress", "brave-otter-1f2e.localhost", PROJECT],
] as const)("with the options %s, the host %s serves the services %s", (name, host, row) => {
  expect(PATHS.map((path) => service(named[name], host, path)).join(" ")).toBe(row);
});

test.each([
  ["dns", "pets.example.org", STAGING],
  ["dns", "staging.pets.example.org", STAGING],
  ["dns", "brave-otter-1f2e.pets.example.org", UNKNOWN],
  ["dns", "other.example.org", UNKNOWN],
  ["dns", `${DEPLOY}--cats.pets.example.org`, UNKNOWN],
  ["laptop", "127.0.0.1:8081", STAGING],
  ["laptop", "brave-otter-1f2e.localhost:8081", UNKNOWN],
] as const)(
  "with the options %s on the Staging listener, the host %s serves the services %s",
  (name, host, row) => {
    const options: HostOptions = { ...named[name], listener: "staging" };
    expect(PATHS.map((path) => service(options, host, path)).join(" ")).toBe(row);
  },
);

test("the slug is the label before the sites domain, in lower case", () => {
  expect(hostTable(dns)("Brave-Otter-1F2E.pets.example.org:8080")).toEqual({
    kind: "project",
    slug: "brave-otter-1f2e",
  });
});

test("a preview's label names its deploy and fits into a host name", () => {
  const slug = `a${"-b".repeat(19)}c`;
  const label = previewLabel(slug, DEPLOY);
  expect([slug.length, label.length]).toEqual([40, 62]);
  expect(hostTable(dns)(`${label}.pets.example.org`)).toEqual({
    kind: "preview",
    slug,
    deployId: DEPLOY,
  });
});

test("the cached host is not used for other hosts", () => {
  const hosts = hostTable(dns);
  const names = ["pets.example.org", "x.org", "pets.example.org", "abc.pets.example.org"];
  expect(names.map((host) => hosts(host).kind)).toEqual(["base", "unknown", "base", "project"]);
});

test.each([
  ["/v1", "api"],
  ["/v1/", "api"],
  ["/v1?x=1", "api"],
  ["/v1#x", "api"],
  ["/V1", "page"],
  ["/v", "page"],
  ["/%761", "api"],
  ["/%2576%31", "page"],
  ["/v1%2Fpets", "page"],
  ["/%6danage/v1/me?%2f", "management"],
  ["/%2Ewell-known/acme-challenge/x", "reserved"],
  ["/manage/v1", "management"],
  ["/manage/v1?x", "management"],
  ["/manage/v10", "reserved"],
  ["/manage?x", "reserved"],
  ["/manager", "page"],
  ["/docs/x", "reference"],
  ["/help/x", "help"],
  ["/helpful", "page"],
  ["/llms.txt", "help"],
  ["/llms.txt/", "page"],
  ["/docs.html", "page"],
  ["/setup", "setup"],
  ["/setup?x", "setup"],
  ["/setup/", "page"],
  ["/livez?x", "state"],
  ["/readyz", "state"],
  ["/livez/", "page"],
  ["/readyzz", "page"],
  ["/.well-known/acme-challenge", "reserved"],
  ["/.well-known/security.txt", "page"],
  ["", "page"],
] as const)("the path %s belongs to the area %s", (path, area) => {
  expect(areaAt(path)).toBe(area);
  expect(areaAt(`http://host${path}`, "http://host".length)).toBe(area);
  // Another spelling of the same path (RFC 3986 §6.2.2.2).
  const encoded = path.replaceAll(/(?<![?%].*|%.)[\w.~-]/g, encodedAlways);
  expect(areaAt(`http://host${encoded}`, "http://host".length)).toBe(area);
});

function encodedAlways(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
