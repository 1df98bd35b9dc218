import type { Problem } from "../base/problem.ts";
import { count, declared, fields, list, text, type Shape } from "../base/shape.ts";

/** The states of a deploy, in the order in which it passes them. */
export const deployStates = [
  "uploading",
  "processing",
  "ready",
  "live",
  "superseded",
  "failed",
] as const;
/** The state of a deploy. */
export type DeployState = (typeof deployStates)[number];

/** Why a deploy failed. */
export const deployFailureShape: Shape<Problem> = declared<Problem>({
  ...fields(
    { code: text(), message: text() },
    {
      errors: list(fields({ pointer: text(), code: text(), message: text() })),
      retryAfterSeconds: count(),
    },
  ).json,
  description: "The reason for a failure.",
});
