import type { JSX } from "preact";

import type { Resource } from "../state/resource.ts";
import { Bones } from "./bones.tsx";
import { Refusal } from "./notice.tsx";

/** Shows something once it is known; until then its place, and why it cannot be shown where that is so. */
export function Loaded<Value>({
  resource: { value, problem, reload },
  lines,
  children,
}: {
  readonly resource: Resource<Value>;
  /** How much room is held. */
  readonly lines?: number;
  readonly children: (value: Value) => JSX.Element;
}): JSX.Element {
  return (
    <>
      <Refusal problem={problem} onRetry={() => void reload()} />
      {value !== undefined && children(value)}
      {value === undefined && problem === undefined && (
        <Bones {...(lines === undefined ? {} : { lines })} />
      )}
    </>
  );
}
