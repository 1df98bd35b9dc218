import type { JSX } from "preact";

import { Door } from "../../door.tsx";

/** SignIn */
export function SignIn(): JSX.Element {
  return <Door title="SignIn">{null}</Door>;
}
