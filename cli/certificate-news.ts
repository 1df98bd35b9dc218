import type { CertificateAuthority } from "../domains/index.ts";
import type { Clock, Log } from "../lib/index.ts";

/** A CA that is slower than that is told of without its terms. */
const PATIENCE_MS = 10_000;

/** Says who issues certificates and, where there are some, to which terms the operator agreed by choosing it. */
export async function tellOfAuthority(
  { kind, id, directory }: Pick<CertificateAuthority, "kind" | "id" | "directory">,
  { clock, log, caRoot }: { readonly clock: Clock; readonly log: Log; readonly caRoot: string },
  stopping: AbortSignal,
): Promise<void> {
  if (kind === "internal") {
    log.info("certificates come from the internal CA: whoever visits has to trust its root", {
      root: caRoot,
    });
    return;
  }
  const over = new AbortController();
  const enough = clock.sleep(PATIENCE_MS, AbortSignal.any([stopping, over.signal])).then(
    () => undefined,
    () => undefined,
  );
  const asked = directory(AbortSignal.any([stopping, over.signal])).catch(() => undefined);
  const told = await Promise.race([asked, enough]);
  over.abort();
  if (stopping.aborted) return;
  if (told?.ok !== true) {
    const reason = told?.failure.message ?? "it does not answer";
    log.warn("the CA cannot be reached; it is tried again when a certificate is needed", {
      ca: id,
      reason,
    });
    return;
  }
  const { termsOfServiceUrl, externalAccountRequired } = told.value;
  log.info("certificates come from a CA, whose terms of service are agreed to by choosing it", {
    ca: id,
    ...(termsOfServiceUrl === undefined ? {} : { terms: termsOfServiceUrl }),
    ...(externalAccountRequired ? { needs: "acme-eab-kid and acme-eab-hmac-key" } : {}),
  });
}
