import type { ExportedCertificate } from "../../../../lib/management/domain-client.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { at, send } from "../../api.ts";
import { confirm } from "../../components/confirm.tsx";
import { download } from "../../components/download.ts";
import { toast } from "../../components/toasts.tsx";
import { domainWords } from "../../words/domain-words.ts";
import { refusedFor } from "./deeds.ts";

type Named = Pick<DomainView, "domain" | "unicode">;

/** Orders the next certificate now, once that was confirmed: authorities count how often. */
export async function renewCertificate(
  projectId: string,
  { domain, unicode }: Named,
): Promise<DomainView | undefined> {
  const { view } = domainWords.words();
  const sure = await confirm({
    title: view.askRenew(unicode),
    text: view.askRenewText,
    action: view.renew,
  });
  if (!sure) return undefined;
  const path = at`/projects/${projectId}/domains/${domain}/renew`;
  const result = await send<DomainView>("POST", path);
  toast(result.ok ? view.renewing : refusedFor(result.failure));
  return result.ok ? result.value : undefined;
}

/** Saves certificate and private key as a file, once that was confirmed: it is written into the timeline. */
export async function exportCertificate(
  projectId: string,
  { domain, unicode }: Named,
): Promise<void> {
  const { view } = domainWords.words();
  const sure = await confirm({
    title: view.askExport(unicode),
    text: view.askExportText(unicode),
    action: view.export,
    look: "danger",
  });
  if (!sure) return;
  const path = at`/projects/${projectId}/domains/${domain}/certificate/export`;
  const result = await send<ExportedCertificate>("POST", path);
  if (!result.ok) {
    toast(refusedFor(result.failure));
    return;
  }
  const { chain, privateKey } = result.value;
  download(`${domain}.pem`, "application/x-pem-file", [chain, privateKey]);
  toast(view.exported(unicode));
}
