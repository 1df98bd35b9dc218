import { describe, test } from "bun:test";

import type { ContractCase } from "../../testing/index.ts";

/** Runs each case of a contract as a test. */
export function describeContract(name: string, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { name: promise, run } of cases) test(promise, run);
  });
}

/** A case that opens what it needs itself. */
interface OpeningCase<Opened> {
  readonly name: string;
  readonly run: (open: () => Promise<Opened>) => Promise<void>;
}

/** Runs each case as a test over what `open` creates, which `close` gets afterwards. */
export function describeOpening<Opened>(
  name: string,
  cases: readonly OpeningCase<Opened>[],
  open: () => Promise<Opened>,
  close: (opened: Opened) => unknown,
): void {
  describe(name, () => {
    for (const { name: promise, run } of cases) {
      test(promise, async () => {
        const all: Opened[] = [];
        try {
          await run(async () => {
            const opened = await open();
            all.push(opened);
            return opened;
          });
        } finally {
          for (const opened of all) await close(opened);
        }
      });
    }
  });
}
