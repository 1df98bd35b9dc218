import type { Log } from "../lib/index.ts";
import type { ManagementClient } from "../lib/management/index.ts";
import type { ProblemCode } from "../lib/base/problem.ts";
import type { Members } from "../lib/members/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { environmentName, options, type Settings } from "../settings/options.ts";

interface FirstOperator {
  readonly members: Pick<Members, "any" | "ensureOperator">;
  readonly settings: Pick<Settings, "adminEmail" | "adminPassword">;
  readonly log: Log;
}

/**
 * Makes the operator that the options name, where nobody can sign in yet: for containers, where no one is at a terminal.
 * Nobody who is there is ever changed. Fails for an address or a password that members may not have.
 */
export async function firstOperator({ members, settings, log }: FirstOperator): Promise<void> {
  const { adminEmail: email, adminPassword: password } = settings;
  if (email === undefined || password === undefined) return;
  const named = { email: options.adminEmail.name, password: options.adminPassword.name };
  if (await members.any()) {
    log.warn(
      `${named.email} and ${named.password} did their work and change nothing: remove them`,
      { environment: `${environmentName(named.email)}, ${environmentName(named.password)}` },
    );
    return;
  }
  const made = await members.ensureOperator({ email, password });
  if (!made.ok) {
    const option = OF_PASSWORD.has(made.failure.code) ? named.password : named.email;
    throw new Failure("configuration", `${option}: ${made.failure.message}`);
  }
  if (made.value === "exists") {
    const command = "petstore members reset-link";
    log.warn(`${named.email} is a member without a password: make them a link`, { command });
    return;
  }
  log.info(`made an operator: sign in, and remove ${named.password}`, { email });
}

/** What is said of a password that members may not have. */
const OF_PASSWORD: ReadonlySet<ProblemCode> = new Set(["weak_password", "leaked_password"]);

/** A setup link: good once. */
export interface FirstLink {
  /** A secret until it is used. */
  readonly url: string;
  readonly expiresAt: number;
}

/** Creates a setup link if no member can sign in yet; earlier links become void. */
export async function firstLink({
  members,
  client,
}: {
  readonly members: Pick<Members, "any">;
  readonly client: Pick<ManagementClient, "setup">;
}): Promise<FirstLink | undefined> {
  return (await members.any()) ? undefined : must(await client.setup.link());
}
