import { describe, expect, test } from "bun:test";

import { isFresh } from "../../../lib/http/conditional.ts";
import { mayChange } from "../../../lib/http/preconditions.ts";

describe("If-None-Match", () => {
  test("compares weakly, ignoring W/", () => {
    expect(isFresh('"1"', '"1"')).toBe(true);
    expect(isFresh('W/"1"', '"1"')).toBe(true);
    expect(isFresh('"1"', 'W/"1"')).toBe(true);
    expect(isFresh('"1"', '"2"')).toBe(false);
  });

  test("accepts a list and *", () => {
    expect(isFresh('"0", W/"1" ,"2"', '"1"')).toBe(true);
    expect(isFresh(" * ", '"1"')).toBe(true);
    expect(isFresh('"*"', '"1"')).toBe(false);
    expect(isFresh('"a,b"', '"a,b"')).toBe(true);
    expect(isFresh('"a,b"', '"a"')).toBe(false);
  });

  test("matches nothing if it is malformed", () => {
    for (const header of ["", "1", '"1', "W/", '1"', ","])
      expect(isFresh(header, '"1"')).toBe(false);
  });
});

describe("If-Match", () => {
  test("compares strongly: a weak tag matches nothing, not even itself", () => {
    expect(mayChange('"1"', '"1"')).toBe(true);
    expect(mayChange('W/"1"', '"1"')).toBe(false);
    expect(mayChange('W/"1"', 'W/"1"')).toBe(false);
    expect(mayChange('"1"', 'W/"1"')).toBe(false);
  });

  test("accepts a list and *", () => {
    expect(mayChange('"0", "1"', '"1"')).toBe(true);
    expect(mayChange('W/"1", "1"', '"1"')).toBe(true);
    expect(mayChange("*", '"1"')).toBe(true);
    expect(mayChange('"0", "2"', '"1"')).toBe(false);
  });

  test("matches nothing if it is malformed", () => {
    for (const header of ["", "1", '"1', ","]) expect(mayChange(header, '"1"')).toBe(false);
  });

  test("is read up to its hundredth tag", () => {
    const others = Array.from({ length: 5_000 }, (_, index) => `"x${index}"`).join(", ");
    expect(mayChange(`"1", ${others}`, '"1"')).toBe(true);
    expect(mayChange(`${others}, "1"`, '"1"')).toBe(false);
  });
});
