import { describe, expect, test } from "bun:test";

import type { Problem } from "../../../../lib/base/problem.ts";
import type { SiteFile } from "../../../../lib/publishing/model/site-file.ts";
import { gzipped, joined, rawEntry, tarGzOf } from "../../../helpers/tar.ts";
import { take } from "./take.ts";

const site = [
  { name: "index.html", content: "<h1>Rex</h1>" },
  { name: "404.html", content: "gone" },
  { name: "img/logo.svg", content: "<svg/>" },
];

async function refusal(text: string | Uint8Array): Promise<Problem> {
  const result = await take(tarGzOf([...site, { name: "petstore.site.json", content: text }]));
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.value.site)}`);
  expect(result.failure.code).toBe("invalid_site_file");
  return result.failure;
}

/** `pointer code message` of each fault. */
async function faults(value: unknown): Promise<readonly string[]> {
  const { errors = [] } = await refusal(JSON.stringify(value));
  return errors.map(({ pointer, code, message }) => `${pointer} ${code} ${message}`);
}

async function accepted(value: SiteFile & { readonly $schema?: string }): Promise<SiteFile> {
  const content = JSON.stringify(value);
  const result = await take(tarGzOf([...site, { name: "petstore.site.json", content }]));
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.site;
}

const full: SiteFile = {
  title: "Brightside Animal Shelter",
  description: "Dogs and cats that look for a home.",
  language: "pt-BR",
  theme: { accent: "#1E6f5c", scheme: "auto", logo: "/img/logo.svg" },
  storefront: {
    statuses: ["available", "pending"],
    sort: "oldest",
    pageSize: 60,
    texts: { heading: "Our dogs", intro: "Two\nlines", empty: "None", adopt: "Call.", footer: "©" },
    contact: {
      name: "Ann",
      email: "ann@example.org",
      phone: "+1 (555) 010-0",
      address: "1 Main St\nSpringfield",
      hours: "9–5",
      url: "https://example.org/about",
    },
  },
  redirects: [
    { from: "/old", to: "/new?x=1#top", status: 301 },
    { from: "/blog/*", to: "https://blog.example.org/*" },
    { from: "/a/*", to: "/b/*", status: 302 },
    { from: "/*", to: "/index.html" },
  ],
  headers: [
    { for: "/img/*", values: { "X-Robots-Tag": "noindex", link: "</a.css>; rel=preload" } },
  ],
  notFound: "/404.html",
  domains: {
    primary: "pets.example.org",
    redirects: [{ from: "www.bücher.example", to: "pets.example.org", status: 308 }],
  },
};

test("a complete site file is stored without $schema", async () => {
  expect(await accepted({ $schema: "./petstore.site.schema.json", ...full })).toEqual(full);
  expect(await accepted({})).toEqual({});
  expect(await accepted({ storefront: false })).toEqual({ storefront: false });
});

describe("ambiguous or invalid JSON is refused:", () => {
  const cases: readonly (readonly [string, string | Uint8Array, string])[] = [
    ["not JSON", "{title:1}", "petstore.site.json is not valid JSON."],
    ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "is not valid UTF-8."],
    ["a list", "[]", "petstore.site.json must be a JSON object."],
    ["null", "null", "petstore.site.json must be a JSON object."],
    ["a member twice", '{"title":"a","title":"b"}', 'The member "title" appears twice.'],
    ["nested too deep", `{"title":${"[".repeat(20)}${"]".repeat(20)}}`, "nested deeper than 16"],
    ["nothing", "", "is not valid JSON."],
    ["too large", `{"title":"${" ".repeat(262_144)}"}`, "larger than 256 KiB."],
  ];
  for (const [what, content, message] of cases) {
    test(what, async () => {
      expect((await refusal(content)).message).toContain(message);
    });
  }
});

test("a large site file is refused before it is read", async () => {
  // The archive ends after the header, so reading further would fail.
  const cut = await take(
    gzipped(joined([rawEntry({ name: "petstore.site.json", size: 262_145 })])),
  );
  expect(cut.ok ? "taken" : cut.failure.code).toBe("invalid_site_file");
});

test("all errors are reported with their pointers, the first one in the message", async () => {
  const { message, errors } = await refusal(
    JSON.stringify({
      title: "",
      theme: { acent: "#123456", scheme: "dim" },
      storefront: { pageSize: 61, statuses: [] },
      redirects: [{ from: "/a" }],
    }),
  );
  expect(errors).toEqual([
    { pointer: "/title", code: "invalid_value", message: '"title" must not be empty.' },
    {
      pointer: "/theme/acent",
      code: "unknown_field",
      message: 'The field "acent" is not known. Did you mean "accent"?',
    },
    {
      pointer: "/theme/scheme",
      code: "invalid_value",
      message: '"scheme" must be one of auto, light, dark.',
    },
    {
      pointer: "/storefront/pageSize",
      code: "invalid_value",
      message: '"pageSize" must be an integer from 1 to 60.',
    },
    {
      pointer: "/storefront/statuses",
      code: "invalid_value",
      message: '"statuses" must not have fewer items than 1.',
    },
    { pointer: "/redirects/0/to", code: "missing_field", message: 'The field "to" is required.' },
  ]);
  expect(message).toBe('petstore.site.json at /title: "title" must not be empty. (And 5 more.)');
});

describe("is refused at its place:", () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ["a text that is none", { title: 1 }, "/title"],
    ["a line with two lines", { title: "a\nb" }, "/title"],
    ["a colour by name", { theme: { accent: "red" } }, "/theme/accent"],
    ["a language that is none", { language: "en_US" }, "/language"],
    ["a storefront that is true", { storefront: true }, "/storefront"],
    ["a storefront that is a list", { storefront: [] }, "/storefront"],
    ["an unknown status", { storefront: { statuses: ["dead"] } }, "/storefront/statuses/0"],
    ["a script for an address", contact({ url: "javascript:alert(1)" }), "/storefront/contact/url"],
    ["a password in an address", contact({ url: "https://a:b@c.org" }), "/storefront/contact/url"],
    ["an email address with a tag", contact({ email: "<a>@b" }), "/storefront/contact/email"],
    ["half a character in an email", contact({ email: "\ud800@b" }), "/storefront/contact/email"],
    ["half a character in a link", contact({ url: "https://b/\ud800" }), "/storefront/contact/url"],
    ["a telephone of words", contact({ phone: "call me" }), "/storefront/contact/phone"],
    ["a logo that is not there", { theme: { logo: "/logo.png" } }, "/theme/logo"],
    ["a logo that is no image", { theme: { logo: "/index.html" } }, "/theme/logo"],
    ["a logo elsewhere", { theme: { logo: "https://x.org/a.png" } }, "/theme/logo"],
    ["a page that is not there", { notFound: "/gone.html" }, "/notFound"],
    ["a page that is an image", { notFound: "/img/logo.svg" }, "/notFound"],
    ["a domain that is none", { domains: { primary: "localhost" } }, "/domains/primary"],
    ["a domain with a path", { domains: { primary: "a.org/x" } }, "/domains/primary"],
    ["a rule for no path", redirect("old", "/new"), "/redirects/0/from"],
    ["a rule with * within", redirect("/a*b", "/new"), "/redirects/0/from"],
    ["a rule that is encoded", redirect("/a%20b", "/new"), "/redirects/0/from"],
    ["a rule that climbs", redirect("/a/../b", "/new"), "/redirects/0/from"],
    ["another protocol", redirect("/a", "javascript:alert(1)"), "/redirects/0/to"],
    ["data", redirect("/a", "data:text/html,x"), "/redirects/0/to"],
    ["a host without protocol", redirect("/a", "//evil.example"), "/redirects/0/to"],
    ["that with a backslash", redirect("/a", "/\\evil.example"), "/redirects/0/to"],
    ["that behind a tab", redirect("/a", "/\t/evil.example"), "/redirects/0/to"],
    ["an address without host", redirect("/a", "https:///x"), "/redirects/0/to"],
    ["an address with a password", redirect("/a", "https://a:b@c.org/"), "/redirects/0/to"],
    ["a rest that becomes a host", redirect("/a/*", "https://example.org*"), "/redirects/0/to"],
    ["a rest of nothing", redirect("/a", "/b/*"), "/redirects/0/to"],
    ["half a character in a query", redirect("/a", "/b?\ud800"), "/redirects/0/to"],
    ["half a character elsewhere", redirect("/a", "https://b.org/\ud800"), "/redirects/0/to"],
    ["a line end", redirect("/a", "/b\r\nSet-Cookie: a=b"), "/redirects/0/to"],
    [
      "an unknown redirect status",
      { redirects: [{ from: "/a", to: "/b", status: 200 }] },
      "/redirects/0/status",
    ],
    ["a way to itself", redirect("/a", "/a"), "/redirects/0/to"],
    ["a way deeper into itself", redirect("/a/*", "/a/b/*"), "/redirects/0/to"],
    ["a cookie", header("Set-Cookie", "a=b"), "/headers/0/values/Set-Cookie"],
    ["a type", header("content-type", "text/html"), "/headers/0/values/content-type"],
    [
      "a promise for the whole host",
      header("Strict-Transport-Security", "max-age=1"),
      "/headers/0/values/Strict-Transport-Security",
    ],
    ["caching", header("Cache-Control", "max-age=9"), "/headers/0/values/Cache-Control"],
    [
      "what frames a message",
      header("Transfer-Encoding", "chunked"),
      "/headers/0/values/Transfer-Encoding",
    ],
    ["a second line", header("Link", "a\r\nSet-Cookie: a=b"), "/headers/0/values/Link"],
    ["a value beyond ASCII", header("Link", "é"), "/headers/0/values/Link"],
    ["an empty value", header("Link", ""), "/headers/0/values/Link"],
    [
      "a header twice",
      { headers: [{ for: "/*", values: { Link: "a", link: "b" } }] },
      "/headers/0/values",
    ],
  ];
  for (const [what, value, pointer] of cases) {
    test(what, async () => {
      const reported = await faults(value);
      expect(reported).toHaveLength(1);
      expect(reported[0]).toStartWith(`${pointer} invalid_value `);
    });
  }
});

test("each redirect in a circle is refused", async () => {
  const redirects = [
    { from: "/a", to: "/b" },
    { from: "/b", to: "/c" },
    { from: "/c", to: "/a?x=1" },
    { from: "/into", to: "/a" },
    { from: "/x/*", to: "/y/*" },
    { from: "/y/*", to: "/x/*" },
    { from: "/fine", to: "https://example.org/a" },
  ];
  const reported = await faults({ redirects });
  expect(reported.map((fault) => fault.split(" ")[0])).toEqual(
    [0, 1, 2, 3, 4, 5].map((index) => `/redirects/${index}/to`),
  );
});

test("a path can redirect only once", async () => {
  const redirects = [
    { from: "/a", to: "/b" },
    { from: "/a", to: "/c" },
  ];
  expect(await faults({ redirects })).toEqual([
    '/redirects/1/from invalid_value "from" repeats /a.',
  ]);
});

test("a site file has at most 1,000 redirects and 200 header rules", async () => {
  const redirects = Array.from({ length: 1_000 }, (_, index) => ({
    from: `/${index}/*`,
    to: `/to/${index}/*`,
  }));
  expect((await accepted({ redirects })).redirects).toHaveLength(1_000);
  const more = [...redirects, { from: "/more", to: "/x" }];
  expect(await faults({ redirects: more })).toEqual([
    '/redirects invalid_value "redirects" must have at most 1000 items.',
  ]);
  const headers = Array.from({ length: 200 }, () => ({ for: "/*", values: {} }));
  expect((await accepted({ headers })).headers).toHaveLength(200);
  const again = [...headers, { for: "/*", values: {} }];
  expect((await faults({ headers: again }))[0]).toStartWith("/headers invalid_value");
});

test("at most 20 errors are reported", async () => {
  const redirects = Array.from({ length: 500 }, (_, index) => ({
    from: `/${index}`,
    to: `/${index}`,
  }));
  expect(await faults({ redirects })).toHaveLength(20);
});

test("a site file outside the root is an ordinary file", async () => {
  const elsewhere = { name: "sub/petstore.site.json", content: "not JSON" };
  const result = await take(tarGzOf([...site, elsewhere]));
  expect(result.ok && result.value.site).toEqual({});
});

function redirect(from: string, to: string): unknown {
  return { redirects: [{ from, to }] };
}

function header(name: string, value: string): unknown {
  return { headers: [{ for: "/*", values: { [name]: value } }] };
}

function contact(value: object): unknown {
  return { storefront: { contact: value } };
}

describe("a map of domains is refused that has", () => {
  const to = "pets.example.org";
  const cases: readonly (readonly [string, SiteFile["domains"] & {}, string])[] = [
    [
      "a circle",
      { redirects: [{ from: "a.example.org", to: "A.example.org" }] },
      '/domains/redirects/0/to invalid_value "to" is part of a redirect loop.',
    ],
    [
      "a chain",
      {
        redirects: [
          { from: "a.example.org", to: "b.example.org" },
          { from: "B.example.org", to },
        ],
      },
      '/domains/redirects/0/to invalid_value "to" is b.example.org, which itself redirects.',
    ],
    [
      "a source twice",
      {
        redirects: [
          { from: "a.example.org", to },
          { from: "A.example.org", to: "c.example.org" },
        ],
      },
      '/domains/redirects/1/from invalid_value "from" repeats A.example.org.',
    ],
    [
      "a redirect of the primary domain",
      { primary: "Pets.example.org", redirects: [{ from: to, to: "a.example.org" }] },
      '/domains/redirects/0/from invalid_value "from" is pets.example.org, the primary domain, which cannot redirect.',
    ],
  ];
  for (const [what, domains, fault] of cases) {
    test(what, async () => expect(await faults({ domains })).toEqual([fault]));
  }
});
