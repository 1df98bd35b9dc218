import { expect, test } from "bun:test";
import { actorIn, actorText, type Actor } from "../../../lib/model/actor.ts";

const actors: readonly Actor[] = [
  { kind: "member", id: "mem_one" },
  { kind: "member", id: "mem_one", of: "operators" },
  { kind: "token", id: "0123456789abcdef" },
  { kind: "token", id: "0123456789abcdef", of: "operators" },
  { kind: "key", id: "0123456789abcdef" },
  { kind: "visitor" },
  { kind: "command" },
  { kind: "host" },
  { kind: "system" },
];

test("an actor is read as it was written", () => {
  for (const actor of actors) expect(actorIn(actorText(actor))).toEqual(actor);
});

test("a stored text that names no actor is none", () => {
  const texts = [
    "",
    "robot",
    "robot:one",
    "constructor",
    "toString",
    "__proto__",
    "system:one",
    "member:one:cats",
  ];
  expect(texts.map((text) => [text, actorIn(text)])).toEqual(
    texts.map((text) => [text, undefined]),
  );
});
