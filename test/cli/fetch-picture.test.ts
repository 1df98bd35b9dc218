import { afterAll, expect, test } from "bun:test";

import { pictureFetch } from "../../server/fetch-picture.ts";

const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);
const asked: string[] = [];

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => {
    const { pathname, host } = new URL(request.url);
    asked.push(`${host.split(":")[0]}${pathname}`);
    if (pathname === "/a.png") return new Response(picture);
    if (pathname === "/to") return Response.redirect("/a.png");
    if (pathname === "/circle") return Response.redirect("/circle");
    if (pathname === "/metadata") return Response.redirect("http://169.254.169.254/latest");
    if (pathname === "/file")
      return new Response("", { status: 302, headers: { location: "file:///etc/passwd" } });
    if (pathname === "/large") return new Response(new Uint8Array(26 * 1_024 * 1_024));
    return new Response("", { status: 404 });
  },
});
afterAll(() => server.stop(true));

const at = (path: string, host = "pets.example"): URL =>
  new URL(`http://${host}:${server.port}${path}`);
const here = pictureFetch({ allowPrivateNetworks: true, resolve: async () => ["127.0.0.1"] });
const never = new AbortController().signal;

test("a picture is fetched from the address that was checked, and redirects are followed", async () => {
  for (const path of ["/a.png", "/to"]) {
    const fetched = await here(at(path), never);
    expect(fetched.ok && [...fetched.value]).toEqual([...picture]);
  }
  // The name has no address but the one that was given.
  expect(asked).toContain("pets.example/a.png");
});

test("what is no picture within bounds is refused with its reason", async () => {
  const reasons = ["/none", "/circle", "/file", "/large"].map(async (path) => {
    const fetched = await here(at(path), never);
    return fetched.ok ? "" : fetched.failure;
  });
  expect(await Promise.all(reasons)).toEqual([
    "the server answered 404",
    "it redirects too often",
    "it leads to an address that cannot be fetched",
    "it is larger than 25 MiB",
  ]);
});

test("private addresses and the metadata of clouds are never contacted, not even by redirects", async () => {
  asked.length = 0;
  const outside = pictureFetch({
    allowPrivateNetworks: false,
    resolve: async () => ["127.0.0.1", "10.0.0.1"],
  });
  expect(await outside(new URL("http://pets.example/a.png"), never)).toMatchObject({
    failure: "pets.example has no public address",
  });
  expect(await outside(at("/a.png"), never)).toMatchObject({ failure: "it names a port" });
  const addresses = pictureFetch({ allowPrivateNetworks: false });
  for (const host of [
    "127.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "0x7f000001",
    "localhost",
  ]) {
    expect(await addresses(new URL(`http://${host}/a.png`), never)).toMatchObject({ ok: false });
  }
  expect(asked).toEqual([]);
  const resolve = async (host: string): Promise<readonly string[]> => [
    host === "pets.example" ? "127.0.0.1" : host,
  ];
  const allowed = pictureFetch({ allowPrivateNetworks: true, resolve });
  expect(await allowed(at("/metadata"), never)).toMatchObject({
    failure: "169.254.169.254 has no public address",
  });
});

test("a picture that does not arrive in time is given up", async () => {
  const control = new AbortController();
  const silent = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: () => control.abort(), data: () => undefined },
  });
  const fetched = await here(new URL(`http://pets.example:${silent.port}/`), control.signal);
  silent.stop(true);
  expect(fetched).toMatchObject({ failure: "it did not arrive in time" });
  const lost = pictureFetch({
    allowPrivateNetworks: true,
    resolve: () => new Promise(() => undefined),
  });
  expect(await lost(at("/a.png"), control.signal)).toMatchObject({
    failure: "it did not arrive in time",
  });
});
