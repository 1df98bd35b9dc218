import { expect, test } from "bun:test";

import { plainPage, unknownPage } from "../../../../lib/publishing/serving/plain-page.ts";

const page = {
  status: 503,
  title: "A title",
  text: "Some words.",
  link: { href: "/", text: "Go on" },
};

test("the policy allows the page's own style and nothing else", async () => {
  const answer = plainPage(page, "GET");
  const style = /<style>(.*)<\/style>/.exec(await answer.text())?.[1] ?? "";
  const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  expect(style).not.toBe("");
  expect(answer.headers.get("content-security-policy")).toStartWith(
    `default-src 'none'; style-src 'sha256-${hash}';`,
  );
});

test("HEAD returns the size of the page", async () => {
  const head = plainPage(page, "HEAD");
  const body = await plainPage(page, "GET").bytes();
  expect(head.headers.get("content-length")).toBe(String(body.length));
  expect(await head.text()).toBe("");
});

test("the unknown page names neither the service nor the request", async () => {
  const text = await unknownPage("GET").text();
  expect(text).toContain("<h1>Page not found</h1>");
  expect(text).not.toMatch(/petstore|project|deploy|bun/i);
});
