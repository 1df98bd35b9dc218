import { limitHeaders } from "../../../lib/http/answer.ts";
import type { Verdict } from "../../../lib/accounts/limiter.ts";
import { retryAfterSeconds, type WindowView } from "../../../lib/model/window.ts";

export type Truth = "T1" | "T2" | "T3" | "T4";

/** A client's reading of the headers of a response. */
interface Told {
  readonly remaining: number;
  readonly resetsAt: number;
  readonly windows: readonly WindowView[];
}

/** A client that relies on the headers and reports those that were wrong. */
export class HeaderWitness {
  /** How often each guarantee was tested; an untested one proves nothing. */
  readonly tried: Record<Truth, number> = { T1: 0, T2: 0, T3: 0, T4: 0 };
  #told: Told | undefined;
  /** When a request must succeed, according to the first 429 since the last success. */
  #servedFrom: number | undefined;
  #othersSpent = false;
  #refunded = false;

  get told(): Told | undefined {
    return this.#told;
  }

  get servedFrom(): number | undefined {
    return this.#servedFrom;
  }

  seesOthersSpend(): void {
    this.#othersSpent = true;
    this.#servedFrom = undefined;
  }

  seesRefund(): void {
    this.#refunded = true;
  }

  /** Reads the headers of a response to a charged (`spend`) or free (`peek`) request. */
  reads(verdict: Verdict, kind: "spend" | "peek"): void {
    const { at: now, allowed, windows } = verdict;
    const headers = limitHeaders(verdict);
    const remaining = wholeNumber(headers.remaining);
    const resetsAt = wholeNumber(String(headers.reset)) * 1_000;
    const told = this.#told;
    if (remaining > wholeNumber(String(headers.limit)))
      throw new Error("more remains than the limit");
    if (resetsAt <= now) throw new Error("the reset has passed already");

    if (told !== undefined) {
      if (kind === "spend" && !this.#othersSpent && told.remaining > 0 && now < told.resetsAt) {
        this.#claim("T1", allowed);
      }
      if (!this.#othersSpent) this.#claimFull(told, verdict, kind);
      if (!this.#refunded && now < told.resetsAt) this.#claim("T4", remaining <= told.remaining);
    }
    if (kind === "spend" && this.#servedFrom !== undefined && now >= this.#servedFrom) {
      this.#claim("T2", allowed);
    }

    if (kind === "spend") {
      const waitMs = retryAfterSeconds(verdict) * 1_000;
      if (!allowed && now + waitMs < resetsAt) throw new Error("Retry-After is before Reset");
      this.#servedFrom = allowed ? undefined : (this.#servedFrom ?? now + waitMs);
    }
    this.#told = { remaining, resetsAt, windows };
    this.#othersSpent = false;
    this.#refunded = false;
  }

  #claimFull(told: Told, { at, allowed, windows }: Verdict, kind: "spend" | "peek"): void {
    const taken = kind === "spend" && allowed ? 1 : 0;
    for (const { name, resetsAt } of told.windows) {
      const window = windows.find((one) => one.name === name);
      if (at < resetsAt || window === undefined) continue;
      this.#claim("T3", window.remaining === window.limit - taken);
    }
  }

  #claim(truth: Truth, holds: boolean): void {
    this.tried[truth]++;
    if (!holds) throw new Error(`${truth} is broken`);
  }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${text} is no whole number`);
  return Number(text);
}
