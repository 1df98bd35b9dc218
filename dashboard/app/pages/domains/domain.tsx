import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** DomainPage */
export function DomainPage(): JSX.Element {
  return <Page title="DomainPage">{null}</Page>;
}
