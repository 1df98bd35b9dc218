import type { PasskeyView } from "../../../lib/management/member-view.ts";
import { relyingPartyAt } from "../../../lib/members/model/relying-party.ts";
import { getAll } from "../api.ts";
import { above } from "../components/above.ts";
import type { Language } from "../state/language.ts";
import { language } from "../words/language.ts";
import { ProofDialog, type ProofWords } from "./proof-dialog.tsx";

let underWay: Promise<boolean> | undefined;

/**
 * Asks whoever sits there to prove that they are who signed in; above whatever is open, which stays as it is. Resolves
 * with false when they would not, and rejects when the words for it cannot be had. Several who ask at a time ask once.
 */
export function prove(): Promise<boolean> {
  underWay ??= ask().finally(() => {
    underWay = undefined;
    above.value = undefined;
  });
  return underWay;
}

const catalogues: Readonly<Record<Language, () => Promise<{ readonly proof: ProofWords }>>> = {
  en: () => import("../words/en/proof.ts"),
  de: () => import("../words/de/proof.ts"),
};

async function ask(): Promise<boolean> {
  // Both before anything is shown, so that nothing moves afterwards.
  const [{ proof }, withPasskey] = await Promise.all([catalogues[language()](), hasPasskey()]);
  return new Promise((resolve) => {
    above.value = <ProofDialog proof={proof} withPasskey={withPasskey} onEnd={resolve} />;
  });
}

/** Whether whoever signed in has one that could be used here. A list that cannot be had is taken for an empty one. */
async function hasPasskey(): Promise<boolean> {
  if (!("PublicKeyCredential" in window)) return false;
  if (relyingPartyAt(location.origin) === undefined) return false;
  const listed = await getAll<PasskeyView>("/passkeys");
  return listed.ok && listed.value.length > 0;
}
