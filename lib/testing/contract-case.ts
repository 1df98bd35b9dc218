import type { Eventual } from "../base/eventual.ts";

/** One promise of a port, to be tried by any test runner. Fails by throwing, with words. */
export interface ContractCase {
  /** A sentence that can be false. */
  readonly name: string;
  run(): Promise<void>;
}

/** Throws unless both are the same as JSON. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [is, shouldBe] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== shouldBe) throw new Error(`${what}: expected ${shouldBe}, got ${is}`);
}

/** Opens `subject`, hands it to `body`, closes it whatever happens. */
export function contractCase<Subject extends { close?(): Eventual<void> }>(
  name: string,
  open: () => Eventual<Subject>,
  body: (subject: Subject) => Promise<void>,
): ContractCase {
  return {
    name,
    run: async () => {
      const subject = await open();
      try {
        await body(subject);
      } finally {
        await subject.close?.();
      }
    },
  };
}
