import { describe, expect, test } from "bun:test";

import {
  choiceParameter,
  choicesParameter,
  idsParameter,
  integerParameter,
  listParameters,
  readParameters,
} from "../../../lib/http/parameters.ts";

const defaults = { limit: 20, sort: "-id", count: false };

const known = Object.entries({
  ...listParameters,
  id: idsParameter(""),
  status: choiceParameter("", ["available", "sold"]),
  categoryId: integerParameter("", { minimum: 1 }),
}).map(([name, parameter]) => ({ name, ...parameter }));

/** Returns the parsed query, or the code of the refusal. */
function read(text: string): Readonly<Record<string, unknown>> | string {
  const query = readParameters(text, known);
  return query.ok ? query.value : query.failure.code;
}

describe("a query", () => {
  test("without parameters has only the defaults", () => {
    expect(read("")).toEqual(defaults);
    expect(read("&")).toEqual(defaults);
    expect(read("&&")).toEqual(defaults);
  });

  test("has each parameter in its declared type", () => {
    const text = "limit=7&sort=id&cursor=abc&count=true&id=3,1&status=sold&categoryId=2";
    expect(read(text)).toEqual({
      limit: 7,
      sort: "id",
      cursor: "abc",
      count: true,
      id: [3, 1],
      status: "sold",
      categoryId: 2,
    });
  });

  test("is decoded: percent signs and plus, in names and values", () => {
    expect(read("l%69mit=%37")).toEqual({ ...defaults, limit: 7 });
    expect(read("id=1%2C2")).toEqual({ ...defaults, id: [1, 2] });
    expect(read("cursor=a+b%2B")).toEqual({ ...defaults, cursor: "a b+" });
  });

  test("keeps the text after the second equals sign", () => {
    expect(read("cursor=a=b=")).toEqual({ ...defaults, cursor: "a=b=" });
  });

  test("with a repeated parameter is refused, also in another encoding", () => {
    expect(read("limit=5&limit=5")).toBe("invalid_parameter");
    expect(read("limit=5&l%69mit=5")).toBe("invalid_parameter");
  });

  test("with an unknown parameter is refused, including prototype members", () => {
    for (const text of [
      "x=1",
      "=1",
      "Limit=1",
      "__proto__=1",
      "constructor=1",
      "toString",
      "%ff=1",
    ]) {
      expect(read(text)).toBe("unknown_parameter");
    }
  });

  test("with invalid UTF-8 is refused", () => {
    expect(read("cursor=%ff")).toBe("invalid_parameter");
    expect(read("cursor=%e0%a4%a")).toBe("invalid_parameter");
  });

  test("with more parts than a whole list and twenty is refused", () => {
    expect(read("&".repeat(119))).toEqual(defaults);
    expect(read("&".repeat(120))).toBe("invalid_parameter");
  });

  test("may repeat a list, whose bound counts the values of all occurrences", () => {
    const lists = [
      { name: "id", ...idsParameter("") },
      { name: "type", ...choicesParameter("", ["a", "b"]) },
    ];
    const listed = (text: string): unknown => {
      const result = readParameters(text, lists);
      return result.ok ? result.value : result.failure.code;
    };
    expect(listed("id=1&id=3")).toEqual({ id: [1, 3] });
    expect(listed("id=1,2&type=a&id=3&type=b")).toEqual({ id: [1, 2, 3], type: ["a", "b"] });
    const each = (count: number): string =>
      Array.from({ length: count }, (_, index) => `id=${index + 1}`).join("&");
    expect(listed(each(100))).toMatchObject({ id: { length: 100 } });
    for (const bad of [each(101), `${each(99)}&id=100,101`, "id=1&id=", "id=&id=1", "id=1&id=x"]) {
      expect([bad, listed(bad)]).toEqual([bad, "invalid_parameter"]);
    }
    expect(listed("type=a&type=b&type=a")).toBe("invalid_parameter");
  });

  test("suggests the nearest name, quoting the sent one without control characters", () => {
    const refused = readParameters("limi%00=5", known);
    const message = refused.ok ? "" : refused.failure.message;
    expect(message).toContain('Did you mean "limit"?');
    expect(message).toContain("limi\u{FFFD}");
  });
});

describe("an integer parameter", () => {
  test("is a canonical integer from its minimum to its maximum", () => {
    for (const value of ["1", "100"]) {
      expect(read(`limit=${value}`)).toEqual({ ...defaults, limit: Number(value) });
    }
    for (const value of [
      "",
      "0",
      "101",
      "-1",
      "+1",
      "01",
      "1.0",
      "1e1",
      " 1",
      "1 ",
      "0x1",
      "٣",
      "NaN",
    ]) {
      expect(read(`limit=${value}`)).toBe("invalid_parameter");
    }
  });

  test("can be an id up to the largest exact integer", () => {
    expect(read("categoryId=9007199254740991")).toEqual({
      ...defaults,
      categoryId: 9007199254740991,
    });
    for (const value of ["9007199254740992", "9007199254740993", "99999999999999999999"]) {
      expect(read(`categoryId=${value}`)).toBe("invalid_parameter");
    }
  });
});

test("a list of ids has one to a hundred ids", () => {
  const ids = (count: number): string =>
    Array.from({ length: count }, (_, index) => index + 1).join(",");
  expect(read(`id=${ids(100)}`)).toBeObject();
  for (const value of ["", ",", "1,", ",1", "1,,2", "1,x", "1, 2", "0", ids(101), ids(5_000)]) {
    expect(read(`id=${value}`)).toBe("invalid_parameter");
  }
});

test("a choice and a flag are matched exactly", () => {
  for (const text of ["status=Sold", "status=sold ", "count=1", "count=TRUE", "count", "sort=ID"]) {
    expect(read(text)).toBe("invalid_parameter");
  }
});
