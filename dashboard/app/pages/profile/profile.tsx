import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Profile */
export function Profile(): JSX.Element {
  return <Page title="Profile">{null}</Page>;
}
