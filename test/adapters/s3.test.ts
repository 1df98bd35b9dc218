import { describe, expect, test } from "bun:test";

import { fetchS3 } from "../../adapters/s3/fetch.ts";
import { listed } from "../../adapters/s3/client.ts";
import { rejection } from "../helpers/rejection.ts";
import { refusalOf, startS3 } from "../helpers/s3-server.ts";

const HOST = "examplebucket.s3.amazonaws.com";
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/** The digest of `Rex`, by sha256sum. */
const REX = "80f1e148f14f3b82aaec65244d7685c1096a8174d748fdc497ecd28ad41ee0b0";

/** The examples of docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. */
const published = [
  {
    name: "GET Object",
    method: "GET",
    target: "/test.txt",
    headers: { range: "bytes=0-9" },
    body: "",
    digest: EMPTY,
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    name: "PUT Object",
    method: "PUT",
    target: "/test$file.text",
    headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    body: "Welcome to Amazon S3.",
    digest: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    name: "GET Bucket Lifecycle",
    method: "GET",
    target: "/?lifecycle",
    headers: {},
    body: "",
    digest: EMPTY,
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    name: "GET Bucket (List Objects)",
    method: "GET",
    target: "/?max-keys=2&prefix=J",
    headers: {},
    body: "",
    digest: EMPTY,
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
] as const;

const there = {
  region: "us-east-1",
  now: Date.UTC(2013, 4, 24),
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

describe("the server of the tests", () => {
  test.each(published)("accepts the published signature of $name, and no other", (example) => {
    const { method, target, headers, body, digest, signature } = example;
    const all: Record<string, string> = {
      ...headers,
      host: HOST,
      "x-amz-content-sha256": digest,
      "x-amz-date": "20130524T000000Z",
    };
    const signed = Object.keys(all).toSorted().join(";");
    const refusal = (hex: string, url = `http://${HOST}${target}`, content: string = body) => {
      const authorization = `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signed},Signature=${hex}`;
      const request = new Request(url, { method, headers: { ...all, authorization } });
      return refusalOf(request, Buffer.from(content), there);
    };
    expect(refusal(signature)).toBeUndefined();
    expect(refusal(signature.replace(/^./, "0"))?.status).toBe(403);
    expect(refusal(signature, `http://${HOST}/other`)?.status).toBe(403);
    expect(refusal(signature, undefined, "changed")?.status).toBe(400);
  });
});

describe("fetchS3", () => {
  const ACCESS = { accessKeyId: "A", secretAccessKey: "S", region: "eu-central-1" };
  /** Returns the address and headers of a request. */
  const sent = async (options: Partial<Parameters<typeof fetchS3>[0]>, bucket = "pets") => {
    const { promise, resolve } = Promise.withResolvers<readonly [string, Headers]>();
    const real = globalThis.fetch;
    const spy = async (url: string, init?: { headers?: Headers }): Promise<Response> => {
      resolve([url, new Headers(init?.headers)]);
      return new Response("<ListBucketResult></ListBucketResult>");
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    globalThis.fetch = spy as unknown as typeof fetch;
    try {
      await fetchS3({ ...ACCESS, ...options }).listObjectsV2({ Bucket: bucket });
    } finally {
      globalThis.fetch = real;
    }
    return promise;
  };
  const QUERY = "?list-type=2&encoding-type=url";

  test("addresses buckets as hosts at AWS, and as paths elsewhere", async () => {
    expect((await sent({}))[0]).toBe(`https://pets.s3.eu-central-1.amazonaws.com/${QUERY}`);
    expect((await sent({}, "pets.example.org"))[0]).toBe(
      `https://s3.eu-central-1.amazonaws.com/pets.example.org/${QUERY}`,
    );
    expect((await sent({ region: "cn-north-1" }))[0]).toBe(
      `https://pets.s3.cn-north-1.amazonaws.com.cn/${QUERY}`,
    );
    for (const path of ["", "/storage"]) {
      const endpoint = `https://minio.example.org:9000${path}`;
      for (const given of [endpoint, `${endpoint}/`]) {
        expect((await sent({ endpoint: given }))[0]).toBe(`${endpoint}/pets/${QUERY}`);
      }
    }
  });

  test("ends a list whose pages repeat", async () => {
    const page = { Contents: [{ Key: "a", Size: 1 }], NextContinuationToken: "again" };
    const s3 = { ...fetchS3(ACCESS), listObjectsV2: async () => page };
    const list = async () => Array.fromAsync(listed(s3, "pets", ""));
    expect(list()).rejects.toThrow("The server repeats a page of its list.");
  });

  test("sends and signs the token of temporary credentials", async () => {
    const [, headers] = await sent({ sessionToken: "token" });
    expect(headers.get("x-amz-security-token")).toBe("token");
    expect(headers.get("authorization")).toContain(";x-amz-security-token,");
    expect((await sent({}))[1].has("x-amz-security-token")).toBe(false);
  });

  test("signs the digest of what it sends, so that a changed body is refused", async () => {
    await using server = await startS3();
    const s3 = fetchS3({ ...server.access, attempts: 1 });
    const real = globalThis.fetch;
    const digests: (string | null)[] = [];
    const spy = async (url: string, init: RequestInit): Promise<Response> => {
      const headers = new Headers(init.headers);
      digests.push(headers.get("x-amz-content-sha256"));
      expect(headers.get("authorization")).toContain(";x-amz-content-sha256;");
      return real(url, init.body == null ? init : { ...init, body: "changed on the way" });
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    globalThis.fetch = spy as unknown as typeof fetch;
    try {
      const one = { Bucket: "pets", Key: "one", Body: Buffer.from("Rex") };
      expect(await rejection(s3.putObject(one))).toMatchObject({
        name: "XAmzContentSHA256Mismatch",
      });
      await s3.listObjectsV2({ Bucket: "pets" });
    } finally {
      globalThis.fetch = real;
    }
    expect(digests).toEqual([REX, EMPTY]);
  });

  test.each([301, 302, 303, 307, 308])(
    "follows no redirect with status %d: what it sends is only for the server that was named",
    async (status) => {
      let asked = 0;
      using other = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () => {
          asked++;
          return new Response("<ListBucketResult></ListBucketResult>");
        },
      });
      using server = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () => Response.redirect(other.url.href, status),
      });
      const s3 = fetchS3({ ...ACCESS, endpoint: server.url.origin, attempts: 1 });
      const one = { Bucket: "pets", Key: "one" };
      for (const send of [
        () => s3.listObjectsV2({ Bucket: "pets" }),
        () => s3.getObject(one),
        () => s3.putObject({ ...one, Body: Buffer.from("Rex") }),
      ]) {
        expect(await rejection(send())).toMatchObject({ $metadata: { httpStatusCode: status } });
      }
      expect(asked).toBe(0);
    },
  );

  test("reads a range, from its first byte on", async () => {
    await using server = await startS3();
    const s3 = fetchS3(server.access);
    const one = { Bucket: "pets", Key: "digits" };
    await s3.putObject({ ...one, Body: Buffer.from("0123456789") });
    for (const [range, expected] of [
      ["bytes=0-0", "0"],
      ["bytes=3-6", "3456"],
      ["bytes=8-99", "89"],
    ] as const) {
      const { Body } = await s3.getObject({ ...one, Range: range });
      expect(await new Response(Body?.transformToWebStream()).text()).toBe(expected);
    }
    // Continued within the range.
    let cut = false;
    server.fault = () => {
      if (cut) return undefined;
      cut = true;
      return { kind: "cut", bytes: 2 };
    };
    const { Body } = await s3.getObject({ ...one, Range: "bytes=3-8" });
    expect(await new Response(Body?.transformToWebStream()).text()).toBe("345678");
  });
});
