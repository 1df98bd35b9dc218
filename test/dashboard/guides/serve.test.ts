import { describe, expect, test } from "bun:test";

import { darkBySystem } from "../../../dashboard/build/dark-by-system.ts";
import { bundled } from "../../../dashboard/guides/bundled.ts";
import type { GuideHost } from "../../../dashboard/guides/guides.ts";
import { createGuides } from "../../../dashboard/guides/serve.ts";
import { findingCodes } from "../../../domains/model/finding-facts.ts";
import { problems } from "../../../lib/base/problem.ts";
import { management, managementDescription, reference } from "../../helpers/reference.ts";
import { watchHeaders } from "../../helpers/watch-headers.ts";

const describeManagement = async (): Promise<unknown> => managementDescription;
const site = createGuides(async () => bundled, describeManagement);
const base: GuideHost = {
  origin: "https://pets.example.org",
  production: "https://pets.example.org/v1",
  staging: "https://staging.pets.example.org/v1",
  help: "",
  dashboard: true,
};

function ask(
  path: string,
  { host = base, ...init }: RequestInit & { readonly host?: GuideHost } = {},
): Promise<Response> {
  const kind = path.startsWith("/docs") ? "reference" : "help";
  return site[kind](new Request(`https://pets.example.org${path}`, init), path, host);
}

const textOf = async (path: string): Promise<string> => (await ask(path)).text();

test("a failed load is retried", async () => {
  let tries = 0;
  const guides = createGuides(async () => {
    if (++tries === 1) throw new Error("not yet");
    return bundled;
  }, describeManagement);
  const read = (): Promise<Response> =>
    guides.help(new Request("https://pets.example.org/help"), "/help", base);
  await expect(read()).rejects.toThrow("not yet");
  expect((await read()).status).toBe(200);
});

test("the reference's policy allows only the APIs of both environments and its search index", async () => {
  const { headers } = await ask("/docs");
  const policy = (headers.get("content-security-policy") ?? "").split("; ");
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src https://pets.example.org/v1/ https://staging.pets.example.org/v1/ https://pets.example.org/docs/search.json",
    "img-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(headers.get("set-cookie")).toBeNull();
});

test("pages of the management API may call it, and no other API", async () => {
  for (const path of ["/docs/management", "/docs/management/keys"]) {
    const policy = (await ask(path)).headers.get("content-security-policy") ?? "";
    expect(policy.split("; ")).toContain(
      "connect-src https://pets.example.org/manage/v1/ https://pets.example.org/docs/search.json",
    );
  }
});

test("only the base domain has the management API's reference", async () => {
  const host = { ...base, dashboard: false, help: "https://pets.example.org" };
  const paths = ["/docs/management", "/docs/management/keys", "/docs/management/createKey.md"];
  for (const path of paths) {
    expect([path, (await ask(path)).status]).toEqual([path, 200]);
    expect([path, (await ask(path, { host })).status]).toEqual([path, 404]);
  }
  const mentions = async (path: string, at: GuideHost): Promise<boolean> =>
    (await (await ask(path, { host: at })).text()).includes("/docs/management");
  for (const path of ["/docs", "/docs/search.json", "/llms.txt"]) {
    expect([path, await mentions(path, base), await mentions(path, host)]).toEqual([
      path,
      true,
      false,
    ]);
  }
});

test("error codes in the reference link to the host with the help", async () => {
  const address = 'href="/help/errors#not_found"';
  expect(await textOf("/docs")).toContain(address);
  const elsewhere = await ask("/docs", { host: { ...base, help: "https://pets.example.org" } });
  const html = await elsewhere.text();
  expect(html).toContain('href="https://pets.example.org/help/errors#not_found"');
  expect(html).not.toContain(address);
});

test("the help's policy allows only its search indexes", async () => {
  const policy = (await ask("/help")).headers.get("content-security-policy");
  expect(policy).toStartWith("default-src 'none'; ");
  expect(policy?.split("; ")).toContain(
    "connect-src https://pets.example.org/help/search.json https://pets.example.org/help/de/search.json",
  );
});

test("each host's pages contain only its own addresses", async () => {
  const shelter = "https://pets.shelter.org";
  const host = { ...base, origin: shelter, production: `${shelter}/v1`, dashboard: false };
  expect(await (await ask("/docs", { host })).text()).toContain("https://pets.shelter.org/v1/pets");
  const ours = await ask("/docs");
  expect(await ours.text()).not.toContain("shelter.org");
  expect(ours.headers.get("content-security-policy")).not.toContain("shelter.org");
});

test("only the reference of the base domain is indexed", async () => {
  const elsewhere = await ask("/docs", { host: { ...base, dashboard: false } });
  expect(elsewhere.headers.get("x-robots-tag")).toBe("noindex");
  expect((await ask("/docs")).headers.has("x-robots-tag")).toBe(false);
});

test("an unknown address is the plain 404 page", async () => {
  for (const path of [
    "/docs/",
    "/docs/nothing.md",
    "/docs/assets/x.js",
    "/docs/management/",
    "/docs/management/nothing",
    "/docs/management/listPets.md",
    "/help/",
    "/help/secret",
    "/help/de/",
    "/help/de/operating",
  ]) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
  // Neither serves the other's files.
  expect((await site.reference(new Request("https://x/"), "/help", base)).status).toBe(404);
});

test("an unchanged page is a 304, and only GET and HEAD are allowed", async () => {
  const etag = (await ask("/docs")).headers.get("etag") ?? "";
  expect((await ask("/docs", { headers: { "if-none-match": etag } })).status).toBe(304);
  const head = await ask("/docs", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await ask("/docs", { method: "POST" })).status).toBe(405);
});

test.each([
  ["/docs", 30_000],
  // The page with the most operations.
  ["/docs/management/animals", 30_000],
  ["/docs/management", 14_000],
  ["/docs/management/webhook-messages", 20_000],
  [bundled.parts.referenceScript, 6_000],
  [bundled.parts.helpScript, 1_000],
  [bundled.parts.style, 6_000],
  [bundled.parts.paint, 1_000],
  // Loaded when a search field is used.
  [bundled.parts.search, 3_200],
  ["/docs/search.json", 50_000],
  ["/help/search.json", 130_000],
  ["/help/de/search.json", 130_000],
])("%s is at most %i bytes when compressed", async (path, most) => {
  const response = await ask(path, { headers: { "accept-encoding": "gzip" } });
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(most);
});

test("only fingerprinted assets are immutable", async () => {
  for (const { path, immutable } of bundled.assets) {
    const cached = (await ask(path)).headers.get("cache-control") ?? "";
    expect([path, cached.includes("immutable")]).toEqual([path, /-\w{6,}\.(?:js|css)$/.test(path)]);
    expect(immutable).toBe(cached.includes("immutable"));
  }
});

test("every error code and finding has a section in the help", async () => {
  const errors = await textOf("/help/errors");
  const findings = await textOf("/help/findings");
  expect(Object.keys(problems).filter((code) => !errors.includes(`<h2 id="${code}">`))).toEqual([]);
  expect(
    Object.keys(findingCodes).filter((code) => !findings.includes(`<h2 id="${code}">`)),
  ).toEqual([]);
});

test("all links within the help exist, including their anchors", async () => {
  const pages = new Map<string, string>();
  for (const { path, type } of bundled.help) {
    if (type.startsWith("text/html")) pages.set(path, await textOf(path));
  }
  const lost: string[] = [];
  for (const [from, html] of pages) {
    for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) {
      const [address = "", id] = href.split("#", 2);
      const [path = ""] = address.split("?", 1);
      if (!/^\/help|^$/.test(path)) continue;
      const there = pages.get(path === "" ? from : path);
      const found = id === undefined ? (await ask(path)).ok : there?.includes(`id="${id}"`);
      if (found !== true) lost.push(`${from}: ${href}`);
    }
  }
  expect(lost).toEqual([]);
});

describe("llms.txt", () => {
  const elsewhere: GuideHost = {
    ...base,
    origin: "https://pets.shelter.org",
    production: "https://pets.shelter.org/v1",
    help: "https://pets.example.org",
    dashboard: false,
  };

  test.each([
    ["the base domain", base, reference.operations.length + management.operations.length],
    ["a project", elsewhere, reference.operations.length],
  ])("of %s has only links to Markdown that exist", async (_, host, operations) => {
    const text = await (await ask("/llms.txt", { host })).text();
    const links = Array.from(text.matchAll(/\]\(([^)]*)\)/g), ([, to = ""]) => new URL(to));
    expect(links).toHaveLength(operations + bundled.pages.length);
    for (const { origin, pathname } of links) {
      const at = pathname.startsWith("/help") ? base : host;
      expect([pathname, origin]).toEqual([pathname, at.origin]);
      const { status, headers } = await ask(pathname, { host: at });
      expect([pathname, status, headers.get("content-type")]).toEqual([
        pathname,
        200,
        "text/markdown; charset=utf-8",
      ]);
    }
  });

  test("has the form of llmstxt.org", async () => {
    const lines = (await textOf("/llms.txt")).split("\n");
    expect(lines[0]).toBe("# Petstore");
    expect(lines[2]).toStartWith("> Animals that are available for adoption.");
    expect(lines.filter((line) => line.startsWith("#"))).toEqual([
      "# Petstore",
      "## Public API",
      "## Management API",
      "## Help",
      "## Optional",
    ]);
    // After the first section, there are only sections of links with notes.
    const sections = lines.slice(lines.indexOf("## Public API"));
    expect(
      sections.filter((line) => !/^(?:|## .+|- \[[^\]]+\]\(https:\/\/[^)]+\): .+)$/.test(line)),
    ).toEqual([]);
  });
});

test("the help has no external resources and follows its policy", async () => {
  for (const { path, type } of bundled.help) {
    if (!type.startsWith("text/html")) continue;
    const tags = (await textOf(path)).match(/<[^>]*>/g) ?? [];
    const strange = tags.filter(
      (tag) =>
        /^<style|\sstyle=|\son\w+="|^<script(?!.*\ssrc=)/.test(tag) ||
        /(?:\ssrc|^<link .*href)="(?!\/docs\/assets\/)/.test(tag),
    );
    expect([path, strange]).toEqual([path, []]);
  }
});

test("the dark theme works without scripts on dark systems", () => {
  expect(darkBySystem(":root{--a:1}:root[data-theme=dark]{--a:2}b{c:d}")).toBe(
    ":root{--a:1}:root[data-theme=dark]{--a:2}@media (prefers-color-scheme:dark){:root:not([data-theme]){--a:2}}b{c:d}",
  );
});

test("the served styles contain the dark theme twice", async () => {
  const css = await textOf(bundled.parts.style);
  expect(
    css.match(/@media \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme\]\)/g),
  ).toHaveLength(2);
});

test("responses do not share their headers", async () => {
  // The first request creates them with responses of their own.
  const paths = [
    ...["/docs", "/docs/management/keys", "/docs/listPets.md", "/docs/none", "/docs/search.json"],
    ...["/llms.txt", "/help", "/help/none"],
  ];
  for (const path of paths) await ask(path);
  using watch = watchHeaders();
  for (const path of [...paths, ...paths]) {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
      await ask(path, { method });
      await ask(path, { method, headers: { "if-none-match": "*", "accept-encoding": "gzip" } });
    }
  }
  expect(watch.responses()).toBe(128);
  expect([...watch.shared]).toEqual([]);
});
