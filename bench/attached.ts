import { join } from "node:path";
import { system } from "../lib/model/actor.ts";
import { bunSqliteSql } from "../adapters/sqlite/bun.ts";
import { createPrivateKeyPem, publicKeyOf } from "../domains/acme/keys.ts";
import { toPem } from "../domains/acme/pem.ts";
import { randomSerial, signedCertificate, subjectAltName } from "../domains/acme/x509.ts";
import { newDomain } from "../domains/model/apply-outcome.ts";
import { certificateIdentity } from "../domains/pipeline/activate.ts";
import type { Domain } from "../domains/model/domain.ts";
import type { DomainChange } from "../domains/ports/domain-change.ts";
import type { DomainStore } from "../domains/ports/domain-store.ts";
import { createSeal, type Seal } from "../domains/storage/seal.ts";
import { sqlDomainStore } from "../domains/storage/sql-domain-store.ts";
import { DAY_MS } from "../lib/base/clock.ts";
import { systemRandom } from "../lib/base/id.ts";
import { sqlProjectStore } from "../lib/publishing/storage/sql-project-store.ts";
import type { ProjectChange, ProjectStore } from "../lib/publishing/project-store.ts";
import { sqlStore } from "../lib/storage/sql-store.ts";
import { publish, type Published } from "./publish.ts";
import { valueOf } from "./service.ts";

/** A data directory with live domains, each with its own certificate and key. */
export interface Attached {
  readonly dataDir: string;
  readonly count: number;
  /** Names below `PER_PROJECT` show the site; the others belong to projects without one. */
  nameOf(index: number): string;
}

/** The most domains of a project. */
export const PER_PROJECT = 100;
const AT_ONCE = 500;
/** About a kilobyte, like a small response. */
const PAGE = `<!doctype html><title>Pets</title>${"<p>They wait for you.</p>".repeat(40)}`;

/** Publishes a page from a data directory in `home` and attaches domains that have been live for a while. */
export async function attach(home: string, count: number): Promise<Attached> {
  const [site, dataDir] = [join(home, "site"), join(home, "data")];
  await Bun.write(join(site, "index.html"), PAGE);
  const published = await publish(site, dataDir);
  const issuerKey = await createPrivateKeyPem();
  await withStores(dataDir, async ({ projects, domains, seal }) => {
    for (let from = 0; from < count; from += AT_ONCE) {
      const indexes = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at);
      const heads = indexes.filter((index) => index > 0 && index % PER_PROJECT === 0);
      valueOf(
        await projects.commit(
          heads.map((index) => anotherProject(published, index)),
          system,
        ),
      );
      const made = indexes.map((index) => attaching(published, index, { seal, issuerKey }));
      valueOf(await domains.commit((await Promise.all(made)).flat(), system));
    }
  });
  return { dataDir, count, nameOf };
}

/** The stores of a data directory that no program uses. */
interface Stores {
  readonly projects: ProjectStore;
  readonly domains: DomainStore;
  readonly seal: Seal;
}

export async function withStores(
  dataDir: string,
  use: (stores: Stores) => Promise<void>,
): Promise<void> {
  const sql = await bunSqliteSql({ path: join(dataDir, "petstore.db") });
  const store = await sqlStore({ sql });
  try {
    const written = await Bun.file(join(dataDir, "encryption.key")).text();
    await use({
      projects: await sqlProjectStore({ sql }),
      domains: await sqlDomainStore({ sql }),
      seal: createSeal(new Uint8Array(Buffer.from(written.trim(), "base64url"))),
    });
  } finally {
    await store.close();
  }
}

export function nameOf(index: number): string {
  return `pets${index}.example.org`;
}

function projectOf({ projectId }: Published, index: number): string {
  const number = Math.floor(index / PER_PROJECT);
  return number === 0 ? projectId : `prj_${String(number).padStart(12, "0")}`;
}

function anotherProject(published: Published, index: number): ProjectChange {
  const at = Date.now();
  const id = projectOf(published, index);
  const project = {
    id,
    accountId: published.accountId,
    slug: id.replace("prj_", "site-"),
    name: "Another",
    filter: { categoryIds: [], statuses: ["available"] },
    theme: {},
    version: 1,
    createdAt: at,
    updatedAt: at,
  } as const;
  return { kind: "project.create", project, atMost: Number.MAX_SAFE_INTEGER };
}

/** Returns a domain that was added to a project at `at` and not checked yet. */
export function addedDomain(
  { projectId, accountId }: Pick<Published, "projectId" | "accountId">,
  index: number,
  at: number,
): Domain {
  const name = nameOf(index);
  const number = String(index).padStart(12, "0");
  return newDomain(
    {
      id: `dom_${number}`,
      name,
      unicode: name,
      projectId,
      accountId,
      role: { kind: "primary" },
      targetLabel: index.toString(16).padStart(32, "0"),
      ownershipToken: number,
      attachedBefore: false,
    },
    at,
  );
}

/** Returns the changes that take a domain from its creation until it is live. */
async function attaching(
  published: Published,
  index: number,
  { seal, issuerKey }: { readonly seal: Seal; readonly issuerKey: string },
): Promise<readonly DomainChange[]> {
  const now = Date.now();
  const [notBefore, notAfter] = [now - DAY_MS, now + 60 * DAY_MS];
  const projectId = projectOf(published, index);
  // Of many accounts, as with real domains.
  const accountId = index < PER_PROJECT ? published.accountId : projectId;
  const added = addedDomain({ projectId, accountId }, index, notBefore);
  const { id, name } = added;
  const certificateId = id.replace("dom_", "crt_");
  const live = {
    ...added,
    gates: { plan: true, deploy: true, project: true, seenAt: now },
    dns: { state: "verified", checkedAt: now, passedAt: now, codes: [] },
    heldSince: notBefore,
    certificate: {
      id: certificateId,
      authority: "internal",
      notBefore,
      notAfter,
      renewAt: now + 30 * DAY_MS,
      activeSince: notBefore,
    },
    liveSince: notBefore,
  } as const;
  const { chainPem, privateKeyPem } = await certificateFor(name, issuerKey, {
    notBefore,
    notAfter,
  });
  const sealedKey = seal.close(privateKeyPem, certificateIdentity(certificateId));
  const certificate = { id: certificateId, domainId: id, chainPem, sealedKey };
  // Spread over a month, so that no task but the daily looks is due during a measurement.
  const dueAt = now + DAY_MS + (index % 30) * DAY_MS;
  const most = Number.MAX_SAFE_INTEGER;
  const shared = { dueAt, news: [], at: now };
  return [
    {
      kind: "domain.add",
      domain: added,
      ...shared,
      maxOfProject: most,
      maxUnverified: most,
      maxRemoved: most,
    },
    { kind: "domain.save", from: added, to: live, ...shared },
    { kind: "certificate.add", certificate: { ...certificate, notAfter, createdAt: notBefore } },
  ];
}

/** Creates a certificate for clients that do not verify the issuer. */
export async function certificateFor(
  host: string,
  issuerKey: string,
  valid: { readonly notBefore: number; readonly notAfter: number },
): Promise<{ readonly chainPem: string; readonly privateKeyPem: string }> {
  const privateKeyPem = await createPrivateKeyPem();
  const leaf = await signedCertificate(
    {
      serial: randomSerial(systemRandom),
      issuer: "CN=Bench",
      subject: "",
      ...valid,
      publicKey: publicKeyOf(privateKeyPem),
      extensions: (x509) => [subjectAltName(x509, [host], true)],
    },
    issuerKey,
  );
  return { chainPem: toPem("CERTIFICATE", leaf), privateKeyPem };
}
