import { shellWord } from "../lib/base/readable.ts";
import type { Log } from "../lib/index.ts";
import type { ProblemCode } from "../lib/base/problem.ts";
import type { Members } from "../lib/members/index.ts";
import { Failure } from "../settings/failure.ts";
import { options, type Settings } from "../settings/options.ts";
import { environmentName } from "../settings/option.ts";

interface FirstOperator {
  readonly members: Pick<Members, "any" | "ensureOperator">;
  readonly settings: Pick<Settings, "adminEmail" | "adminPassword">;
  readonly log: Log;
  /** Returns a command as the operator types it. */
  readonly typed: (command: string) => string;
}

/**
 * Creates the operator that the options name if no member exists: for containers, which have no terminal. Never changes
 * an existing member. Fails for an invalid address or a weak password.
 */
export async function firstOperator({
  members,
  settings,
  log,
  typed,
}: FirstOperator): Promise<void> {
  const { adminEmail: email, adminPassword: password } = settings;
  if (email === undefined || password === undefined) return;
  const named = { email: options.adminEmail.name, password: options.adminPassword.name };
  if (await members.any()) {
    log.warn(
      `${named.email} and ${named.password} have no effect, because members exist: remove them`,
      { environment: `${environmentName(named.email)}, ${environmentName(named.password)}` },
    );
    return;
  }
  const made = await members.ensureOperator({ email, password }, { kind: "command" });
  if (!made.ok) {
    const option = OF_PASSWORD.has(made.failure.code) ? named.password : named.email;
    throw new Failure("configuration", `${option}: ${made.failure.message}`);
  }
  if (made.value === "exists") {
    log.warn(`${named.email} is a member without a password: create a link for them`, {
      command: typed(`members reset-link ${shellWord(email)}`),
    });
    return;
  }
  log.info(`created the operator: sign in, then remove ${named.password}`, { email });
}

/** Problems of a password. */
const OF_PASSWORD: ReadonlySet<ProblemCode> = new Set(["weak_password", "leaked_password"]);
