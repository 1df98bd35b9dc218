import { directoryOf } from "./addresses.ts";
import { isLocal, type Settings } from "./options.ts";
import { cnameTarget, sitesDomain } from "./public-address.ts";

/** What cannot be meant together, each in a sentence without its full stop. Empty: all goes together. */
export function conflictsIn(settings: Settings): readonly string[] {
  return [
    ...conflictsOfListener(settings),
    ...conflictsOfNames(settings),
    ...conflictsOfCa(settings),
    ...conflictsOfAdmin(settings),
  ];
}

function conflictsOfListener({
  listenHttps,
  publicHttpsPort,
  tlsCertFile,
  tlsKeyFile,
  hstsSeconds,
  baseDomain,
  trustedProxies,
}: Settings): readonly string[] {
  const faults: string[] = [];
  if (tlsCertFile !== undefined && tlsKeyFile === undefined) {
    faults.push("tls-cert-file needs tls-key-file: a certificate is of no use without its key");
  }
  if (tlsKeyFile !== undefined && tlsCertFile === undefined) {
    faults.push("tls-key-file needs tls-cert-file");
  }
  if (listenHttps === "off" && tlsCertFile !== undefined && tlsKeyFile !== undefined) {
    faults.push("tls-cert-file needs listen-https: nobody would be shown the certificate");
  }
  if (listenHttps === "off" && publicHttpsPort !== undefined) {
    faults.push("public-https-port needs listen-https");
  }
  if (hstsSeconds > 0 && listenHttps === "off" && trustedProxies.length === 0) {
    faults.push("hsts needs HTTPS: set listen-https, or trusted-proxies if a proxy ends TLS");
  }
  if (hstsSeconds > 0 && isLocal(baseDomain)) {
    faults.push(
      `hsts needs a domain as base-domain: browsers would refuse plain HTTP for everything at ${baseDomain}`,
    );
  }
  return faults;
}

function conflictsOfNames(settings: Settings): readonly string[] {
  const { baseDomain } = settings;
  const target = cnameTarget(settings);
  const taken = [baseDomain, `staging.${baseDomain}`, sitesDomain(settings)];
  return taken.includes(target)
    ? [`cname-target must be a name of its own, not ${target}, which serves something else`]
    : [];
}

function conflictsOfCa(settings: Settings): readonly string[] {
  const { acme, acmeCaFile, acmeCaaIdentity, acmeEmail, acmeEabKid, acmeEabHmacKey } = settings;
  const faults: string[] = [];
  if (acmeEabKid !== undefined && acmeEabHmacKey === undefined) {
    faults.push("acme-eab-kid needs acme-eab-hmac-key, which the CA gave with it");
  }
  if (acmeEabHmacKey !== undefined && acmeEabKid === undefined) {
    faults.push("acme-eab-hmac-key needs acme-eab-kid");
  }
  if (directoryOf(acme) !== undefined) return faults;
  const idle = Object.entries({
    "acme-ca-file": acmeCaFile,
    "acme-caa-identity": acmeCaaIdentity,
    "acme-email": acmeEmail,
    "acme-eab-kid": acmeEabKid,
  });
  for (const [name, value] of idle) {
    if (value !== undefined) faults.push(`${name} is for a CA elsewhere, and acme is internal`);
  }
  return faults;
}

function conflictsOfAdmin({ adminEmail, adminPassword }: Settings): readonly string[] {
  if ((adminEmail === undefined) === (adminPassword === undefined)) return [];
  return adminEmail === undefined
    ? ["admin-password needs admin-email"]
    : ["admin-email needs admin-password, best as PETSTORE_ADMIN_PASSWORD_FILE"];
}
