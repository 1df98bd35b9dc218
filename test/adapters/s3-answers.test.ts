import { expect, test } from "bun:test";

import { fetchS3 } from "../../adapters/s3/fetch.ts";
import { elementsIn, textIn } from "../../adapters/s3/xml.ts";
import { listed } from "../../adapters/s3/client.ts";

/** A server that gives this answer to each request. */
function answering(answer: () => BodyInit) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(answer()) });
  const s3 = fetchS3({
    endpoint: `http://127.0.0.1:${server.port}`,
    region: "us-east-1",
    accessKeyId: "a",
    secretAccessKey: "b",
    attempts: 1,
  });
  return { s3, [Symbol.asyncDispose]: () => server.stop(true) };
}

const list = (content: string) =>
  `<ListBucketResult><EncodingType>url</EncodingType>${content}</ListBucketResult>`;

test("elements are found with attributes, and not by the beginning of their names", () => {
  const xml = '<Keys>no</Keys><Key a="b">1</Key><Key>2</Key><Key';
  expect(elementsIn(xml, "Key")).toEqual(["1", "2"]);
  expect(textIn("<Key>&#65;&#x1f600;&amp;&lt;&#1114112;&unknown;</Key>", "Key")).toBe(
    "A😀&<&#1114112;&unknown;",
  );
});

test("a key that is not escaped as it should be is an error of the client", async () => {
  await using server = answering(() => list("<Contents><Key>%ff</Key></Contents>"));
  const found = Array.fromAsync(listed(server.s3, "bucket", ""));
  await expect(found).rejects.toMatchObject({ name: "Unreachable" });
});

test("a list that is longer than any of S3 is not read to its end", async () => {
  let sent = 0;
  const part = new Uint8Array(1_048_576).fill(0x20);
  await using server = answering(
    () =>
      new ReadableStream({
        pull: (controller) => {
          sent += part.length;
          controller.enqueue(part);
        },
      }),
  );
  const found = Array.fromAsync(listed(server.s3, "bucket", ""));
  await expect(found).rejects.toMatchObject({ name: "Unreachable" });
  expect(sent).toBeLessThan(64 * 1_048_576);
});

test("a server that repeats a page of its uploads is an error", async () => {
  await using server = answering(
    () =>
      "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>a</NextKeyMarker></ListMultipartUploadsResult>",
  );
  const found = server.s3.unfinishedUploads({ Bucket: "bucket", Prefix: "" });
  await expect(found).rejects.toThrow("repeats a page");
});
