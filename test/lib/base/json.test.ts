import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import {
  escapePointer,
  jsonSteps,
  parseJson,
  parseLargeJson,
  STEP,
  type ParsedJson,
} from "../../../lib/base/json.ts";
import { runSeed, torture } from "../../helpers/chance.ts";
import { anyCharacter } from "../../helpers/any-character.ts";

const runs = { seed: runSeed, numRuns: torture ? 50_000 : 1_000 };

function parse(text: string, maxDepth = 32): ReturnType<typeof parseJson> {
  return parseJson(new TextEncoder().encode(text), maxDepth);
}

/** Returns `code pointer` of the fault, or the value. */
function outcome(text: string, maxDepth?: number): unknown {
  const parsed = parse(text, maxDepth);
  return parsed.ok ? parsed.value : `${parsed.failure.code} ${parsed.failure.pointer}`;
}

test("JSON.stringify's output for finite numbers is read back unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      const parsed = parse(text);
      // Large doubles are printed with digits that they do not hold; only those are refused.
      if (!parsed.ok) expect(parsed.failure.code).toBe("invalid_value");
      else expect(parsed.value).toEqual(JSON.parse(text));
    }),
    runs,
  );
});

test("whatever JSON.parse refuses is refused without throwing", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, place, other]) => {
          const at = place % (text.length + 1);
          return text.slice(0, at) + other + text.slice(at + other.length);
        }),
      ),
      (text) => {
        let wellFormed = true;
        try {
          JSON.parse(text.toWellFormed());
        } catch {
          wellFormed = false;
        }
        if (!wellFormed) expect(outcome(text)).toBe("invalid_json ");
        else parse(text);
      },
    ),
    runs,
  );
});

describe("duplicate members", () => {
  test("are refused at any depth, and the pointer points to them", () => {
    expect(outcome('{"a":1,"a":2}')).toBe("invalid_json /a");
    expect(outcome('{"a":{"b":[0,{"c":1,"c":1}]}}')).toBe("invalid_json /a/b/1/c");
    expect(outcome('{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}')).toBeObject();
  });

  test("are recognized however they are escaped", () => {
    expect(outcome('{"a":1,"\\u0061":2}')).toBe("invalid_json /a");
    expect(outcome('{"\\u00e9":1,"é":2}')).toBe("invalid_json /é");
    expect(outcome('{"a/b~":1,"a\\/b~":2}')).toBe("invalid_json /a~1b~0");
  });

  test("are not found in strings that look like members", () => {
    expect(outcome('{"a":"\\"a\\":1,","b":"}{"}')).toEqual({ a: '"a":1,', b: "}{" });
    expect(outcome('["a","a","a"]')).toEqual(["a", "a", "a"]);
    expect(outcome('{"a":"a"}')).toEqual({ a: "a" });
    expect(outcome('{"\\\\":1,"\\"":2}')).toEqual({ "\\": 1, '"': 2 });
  });

  test("called __proto__ are ordinary members", () => {
    expect(outcome('{"__proto__":1,"__proto__":2}')).toBe("invalid_json /__proto__");
    const parsed = parse('{"__proto__":{"admin":true}}');
    expect(parsed.ok && Object.hasOwn(parsed.value as object, "__proto__")).toBe(true);
    expect(({} as { readonly admin?: boolean }).admin).toBeUndefined();
  });
});

describe("depth", () => {
  test("counts arrays and objects together, including the limit", () => {
    expect(outcome('[{"a":[1]}]', 3)).toEqual([{ a: [1] }]);
    expect(outcome('[{"a":[[1]]}]', 3)).toBe("invalid_json ");
    expect(outcome("[[],[],[]]", 2)).toEqual([[], [], []]);
    expect(outcome('"[[[["', 0)).toBe("[[[[");
  });

  test("of a hostile text does not exhaust the stack", () => {
    expect(outcome("[".repeat(30_000) + "]".repeat(30_000))).toBe("invalid_json ");
  });
});

describe("numbers", () => {
  test("that a double holds exactly are accepted in any notation", () => {
    for (const text of [
      "0",
      "-0",
      "1.0",
      "1e2",
      "10000e-4",
      "9007199254740991",
      "-9007199254740991",
      "9007199254740992",
      "0.1",
      "123.456",
      "0.000000000000000000000",
    ]) {
      expect(outcome(text)).toBe(Number(text));
    }
  });

  test("that would become another integer are refused, and the pointer points to them", () => {
    for (const text of [
      "9007199254740993",
      "-9007199254740993",
      "9007199254740993.0",
      "9007199254740993e0",
      "1.00000000000000000001",
      "9007199254740991.4",
      "1e-400",
    ]) {
      expect(outcome(text)).toBe("invalid_value ");
      expect(outcome(`{"a":[0,${text}]}`)).toBe("invalid_value /a/1");
    }
  });

  test("beyond all integers are left to the schema, which knows the range", () => {
    expect(outcome("1e400")).toBe(Infinity);
    expect(outcome("123456789012345678901234567890")).toBe(
      Number("123456789012345678901234567890"),
    );
  });

  test("in strings are not checked", () => {
    expect(outcome('"9007199254740993"')).toBe("9007199254740993");
  });

  test("are exact if they are integers (property)", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 55n), max: 2n ** 55n }), (value) => {
        const exact = BigInt(Number(value)) === value;
        expect(outcome(value.toString())).toBe(exact ? Number(value) : "invalid_value ");
      }),
      runs,
    );
  });
});

test("invalid UTF-8 is refused", () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    const parsed = parseJson(new Uint8Array(bytes), 32);
    expect(parsed.ok ? "" : parsed.failure.code).toBe("invalid_json");
  }
});

test("a refusal's message does not quote the engine's error", () => {
  for (const text of ["", "{", "{secret}", '{"a":1,"a":1}', "9007199254740993", "\u0000"]) {
    const parsed = parse(text);
    expect(parsed.ok ? "" : parsed.failure.message).not.toMatch(/Error|token|Unexpected|secret/);
  }
});

test("a pointer escapes ~ and / (RFC 6901)", () => {
  expect(escapePointer("a/b~c")).toBe("a~1b~0c");
  expect(escapePointer("~1")).toBe("~01");
});

/** Returns how many turns others get during parsing, and the result. */
function read(text: string): { readonly pauses: number; readonly parsed: ParsedJson } {
  const steps = jsonSteps(new TextEncoder().encode(text), 32, "The body");
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { pauses, parsed: step.value };
  }
}

describe("a large text", () => {
  const SIZE = 4 * 1_024 * 1_024;

  test("is read in steps of 64 KiB, with the result of `JSON.parse`", () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      name: `"Rex" ${index}\n${"é".repeat(500)}`,
      categoryId: index + 0.5,
      status: [true, false, null],
    }));
    const text = JSON.stringify({ rows });
    const { pauses, parsed } = read(text);
    expect(parsed).toEqual({ ok: true, value: { rows } });
    const decoding = Math.ceil(new TextEncoder().encode(text).length / STEP) - 1;
    const reading = Math.ceil(text.length / STEP) - 1;
    expect(pauses).toBeGreaterThanOrEqual(decoding + reading);
  });

  test("lets others run inside a single long string too", () => {
    const { pauses, parsed } = read(`["${"\\n".repeat(STEP)}"]`);
    expect(parsed).toEqual({ ok: true, value: ["\n".repeat(STEP)] });
    expect(pauses).toBeGreaterThanOrEqual(3);
  });

  test("pauses after every step", async () => {
    let pauses = 0;
    const data = new TextEncoder().encode(JSON.stringify(Array(20).fill("x".repeat(10_000))));
    const parsed = await parseLargeJson(data, 32, async () => void pauses++);
    expect(parsed.ok).toBe(true);
    expect(pauses).toBeGreaterThanOrEqual(3);
  });

  test.each([
    ["brackets", "[".repeat(SIZE), "is nested deeper than 32 levels."],
    ["unknown names", `{${names(300_000)}}`, "holds an object with more than 1000 members."],
    ["values", `[${"[],".repeat(SIZE / 4)}[]]`, "holds more than 20000 values."],
    ["one text", `["${"a".repeat(SIZE)}"]`, "holds a text longer than 256 KiB."],
    ["backslashes", `["${"\\\\".repeat(SIZE / 2)}"]`, "holds a text longer than 256 KiB."],
    ["one number", `[${"1".repeat(SIZE)}]`, "holds a number longer than 256 KiB."],
  ])("of nothing but %s is given up within its first 8 steps", (_, text, message) => {
    const { pauses, parsed } = read(text);
    expect(parsed).toEqual({
      ok: false,
      failure: { code: "invalid_json", pointer: "", message: `The body ${message}` },
    });
    const decoding = Math.ceil(text.length / STEP) - 1;
    expect(pauses - decoding).toBeLessThan(8);
  });

  test("a thousand members are allowed", () => {
    expect(read(`{${names(1_000)}}`).parsed.ok).toBe(true);
  });

  // A pattern that tries each zero as the first trailing one would take minutes.
  test("a number with zeros in its middle is read in linear time", () => {
    expect(outcome(`1.${"0".repeat(200_000)}1`)).toBe("invalid_value ");
  });
});

function names(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",");
}

test("a text is read the same with and without space around it, which only the strict reader accepts", () => {
  const value = fc.oneof(
    fc.json(),
    fc.jsonValue({ maxDepth: 40 }).map((one) => JSON.stringify(one)),
    fc
      .tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.nat(30))
      .map(
        ([sign, digits, zeros]) =>
          `[${sign}${digits}e+${zeros},${sign}${digits}${"0".repeat(zeros)}]`,
      ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc
      .array(fc.tuple(fc.constantFrom("a", "b", "1", "__proto__", "\\u0061"), fc.json()))
      .map((members) => `{${members.map(([name, json]) => `"${name}":${json}`).join(",")}}`),
  );
  const bounded = fc.oneof(
    value,
    fc.integer({ min: 25, max: 40 }).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
    fc.integer({ min: 19_990, max: 20_010 }).map((count) => JSON.stringify(Array(count).fill(1))),
    fc
      .integer({ min: 990, max: 1_010 })
      .map((count) => JSON.stringify(Object.fromEntries(Array(count).entries()))),
    fc
      .integer({ min: 990, max: 1_010 })
      .map((count) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))),
      ),
  );
  fc.assert(
    fc.property(bounded, (text) => {
      expect(outcome(text)).toEqual(outcome(` ${text}`));
    }),
    { ...runs, numRuns: torture ? 50_000 : 300 },
  );
});
