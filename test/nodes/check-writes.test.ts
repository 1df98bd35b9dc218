import { expect, test } from "bun:test";

import { contradictions } from "./faults/check-writes.ts";
import type { Found, TenantHistory, Write } from "./faults/history.ts";

const AVAILABLE = { status: "available", categoryId: 1 } as const;
const SOLD = { status: "sold", categoryId: 1 } as const;

const write = (to: Write["to"], sentAt: number, acknowledgedAt?: number): Write => ({
  action: to === undefined ? "delete" : "change",
  to,
  requests: [{ node: 0, sentAt }],
  ...(acknowledgedAt === undefined ? {} : { acknowledgedAt }),
});

const history = (writes: Write[], looks: TenantHistory["looks"] = []): TenantHistory => ({
  name: "tenant",
  pets: [{ mark: "tenant-1", id: 1, writes }],
  looks,
  surprises: [],
});

const pet = (id: number, name: string, state: typeof AVAILABLE | typeof SOLD) => ({
  id,
  name,
  ...state,
});

const found = (pets: Found["pets"], orders: Found["orders"] = []): Found => ({ pets, orders });

const created = [write(AVAILABLE, 1, 2)];
const sold = [...created, write(SOLD, 3, 4)];

test("the checker accepts what the contract allows", () => {
  const one = pet(1, "tenant-1", AVAILABLE);
  const after = pet(1, "tenant-1", SOLD);
  const order = { id: 1, petId: 1 };
  expect(contradictions(history(created), found([one]))).toEqual([]);
  expect(contradictions(history(sold), found([after], [order]))).toEqual([]);
  // Without an acknowledgement, either may be so.
  const open = history([...created, write(SOLD, 3)]);
  expect(contradictions(open, found([one]))).toEqual([]);
  expect(contradictions(open, found([after], [order]))).toEqual([]);
  const looks = [{ mark: "tenant-1", sentAt: 3, endedAt: 5, found: one }];
  expect(contradictions(history(sold, looks), found([after], [order]))).toEqual([]);
});

test("the checker finds each kind of loss, doubling and mixture", () => {
  const one = pet(1, "tenant-1", AVAILABLE);
  const after = pet(1, "tenant-1", SOLD);
  const order = { id: 1, petId: 1 };
  const late = [{ mark: "tenant-1", sentAt: 5, endedAt: 6, found: one }];
  for (const [what, seen] of [
    [history(created), found([])],
    [history(created), found([one, pet(2, "tenant-1", AVAILABLE)])],
    [history(created), found([one, pet(2, "other-1", AVAILABLE)])],
    [history(created), found([after], [order])],
    [history(sold), found([after])],
    [history(sold), found([after], [order, { id: 2, petId: 1 }])],
    [history(sold), found([one])],
    [history([...created, write(undefined, 3, 4)]), found([one])],
    [history(created), found([one], [{ id: 1, petId: 9 }])],
    [history(sold, late), found([after], [order])],
  ] as const) {
    expect(contradictions(what, seen)).not.toEqual([]);
  }
});
