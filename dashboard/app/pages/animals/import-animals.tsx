import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** ImportAnimals */
export function ImportAnimals(): JSX.Element {
  return <Page title="ImportAnimals">{null}</Page>;
}
