import type { JSX } from "preact";

import { Door } from "../../door.tsx";

/** Reset */
export function Reset(): JSX.Element {
  return <Door title="Reset">{null}</Door>;
}
