import { send, type Problem, type Result } from "../../api.ts";

/** Whom the link in the address is for. */
export interface ResetStanding {
  readonly email: string;
  readonly name: string;
  /** They have no password yet. */
  readonly first: boolean;
  readonly expiresAt: number;
}

/** Asks before anything is typed. Null where there is no good link. */
export async function standingOf(token: string): Promise<Result<ResetStanding | null, Problem>> {
  if (token === "") return { ok: true, value: null };
  const asked = await send<ResetStanding>("POST", "/reset/check", { token });
  return !asked.ok && asked.failure.code === "invalid_reset_token"
    ? { ok: true, value: null }
    : asked;
}
