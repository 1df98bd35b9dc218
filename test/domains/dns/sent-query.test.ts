import { expect, test } from "bun:test";

import { loadCodec } from "../../../domains/dns/packet.ts";
import { judge, writeQuery, type SentQuery } from "../../../domains/dns/query.ts";

await loadCodec();

/** Creates a query whose random bits are those of one octet. */
function sent(octet = 0x55): SentQuery {
  return writeQuery(
    { name: "shelter.org", type: "A" },
    {
      mixedCase: true,
      edns: false,
      recursionDesired: true,
      checkingDisabled: false,
      random: (into) => into.fill(octet),
    },
  );
}

/** Turns the query into a response without records. */
function answerTo({ bytes }: SentQuery, { rcode = 0, question = true } = {}): Uint8Array {
  const answer = Uint8Array.from(question ? bytes : bytes.subarray(0, 12));
  answer[2] = (answer[2] ?? 0) | 0x80;
  answer[3] = rcode;
  if (!question) answer[5] = 0;
  return answer;
}

test("a response that repeats id and question is accepted", () => {
  const query = sent();
  expect(judge(answerTo(query), query)).toMatchObject({ id: query.id, rcode: 0 });
  expect(judge(answerTo(sent(0x57)), query)).toBe("stray");
});

test("without the question, a server can only report a failure", () => {
  const query = sent();
  const judged = (rcode: number) => judge(answerTo(query, { rcode, question: false }), query);
  expect(judged(1)).toMatchObject({ rcode: 1 });
  expect(judged(2)).toMatchObject({ rcode: 2 });
  expect(judged(0)).toBe("stray");
  expect(judged(3)).toBe("stray");
});

test("malformed and empty messages are ignored", () => {
  const query = sent();
  expect(judge(new Uint8Array(), query)).toBe("stray");
  expect(judge(answerTo(query).subarray(0, 20), query)).toBe("stray");
});
