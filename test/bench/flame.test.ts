import { expect, test } from "bun:test";

import { flameGraph, type CpuProfile } from "../../bench/flame.ts";

const node = (id: number, functionName: string, url: string, children: readonly number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

test("a flame graph shows each function's share of the samples inside the entries", () => {
  const profile: CpuProfile = {
    nodes: [
      node(1, "(root)", "", [2, 3]),
      node(2, "start", "file:///shop/start.ts"),
      node(3, "handle", "file:///shop/front.ts", [4, 5]),
      node(4, "", "file:///shop/node_modules/lru/a<b.js"),
      node(5, "Response", ""),
    ],
    samples: [2, 2, 2, 3, 4, 4, 5],
  };
  const picture = flameGraph(profile, ["handle", "flush"], "Pages & more");
  const titles = [...picture.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title);
  expect(titles).toEqual(["handle 100.0 %", "(anonymous) a&lt;b.js 50.0 %", "Response 25.0 %"]);
  expect(picture).toContain("Pages &amp; more");
  expect(() => flameGraph(profile, ["flush"], "")).toThrow("No sample is inside flush.");
});

test("a flame graph has at most 60,000 characters, however many functions were sampled", () => {
  // 300 stacks of ten functions each; narrow ones have fewer samples.
  const stacks = Array.from({ length: 300 }, (_, index) => 2 + index * 10);
  const nodes = [
    node(1, "handle", "", stacks),
    ...stacks.flatMap((first) =>
      Array.from({ length: 10 }, (_, depth) =>
        node(first + depth, `function${first}`, "", depth === 9 ? [] : [first + depth + 1]),
      ),
    ),
  ];
  const samples = stacks.flatMap((first, index) =>
    Array.from({ length: (index * index) / 100 }, () => first + 9),
  );
  const picture = flameGraph({ nodes, samples }, ["handle"], "Many");
  expect(picture.length).toBeLessThanOrEqual(60_000);
  expect(picture.length).toBeGreaterThan(5_000);
  expect(flameGraph({ nodes, samples: samples.toReversed() }, ["handle"], "Many")).toBe(picture);
});
