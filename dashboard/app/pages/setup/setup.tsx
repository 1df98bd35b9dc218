import type { JSX } from "preact";

import { Door } from "../../door.tsx";

/** Setup */
export function Setup(): JSX.Element {
  return <Door title="Setup">{null}</Door>;
}
