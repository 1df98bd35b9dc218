/** What the exit code says, as scripts may rely on it. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  notFound: 4,
  denied: 5,
  notOk: 6,
  tryLater: 75,
} as const;

export type Exit = keyof typeof exitCodes;

/** Ends a command with a reason for the person who typed it. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exit: Exit;

  constructor(exit: Exit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}
