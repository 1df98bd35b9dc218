import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The result of a handshake by OpenSSL. */
export interface OpensslHandshake {
  /** The common name of the server's certificate; for a resumed session, the one of its first handshake. */
  readonly subject: string | undefined;
  /** The protocol, such as `TLSv1.3`; undefined if the handshake failed. */
  readonly version: string | undefined;
  readonly resumed: boolean;
  readonly protocol: string | undefined;
  /** The number of the alert that ended it. */
  readonly alert: number | undefined;
  /** The whole output. */
  readonly output: string;
}

/** Makes a handshake with `openssl s_client` and sends `request`; disconnects first if that is empty. */
export async function opensslHandshake(
  port: number,
  args: readonly string[],
  request = "",
): Promise<OpensslHandshake> {
  const child = Bun.spawn(
    [
      ...["timeout", "10", "openssl", "s_client", "-connect", `127.0.0.1:${port}`],
      ...(request === "" ? [] : ["-ign_eof"]),
      ...args,
    ],
    { stdin: new TextEncoder().encode(request), stdout: "pipe", stderr: "pipe" },
  );
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const output = out + err;
  const alert = /SSL alert number (\d+)/.exec(output)?.[1];
  const version = /^(?:New|Reused), (TLSv[\d.]+)/m.exec(output)?.[1];
  return {
    subject: /subject=CN = (\S+)/.exec(output)?.[1],
    version,
    resumed: /^Reused, /m.test(output),
    protocol: /ALPN protocol: (\S+)/.exec(output)?.[1],
    alert: alert === undefined ? undefined : Number(alert),
    output,
  };
}

/** Creates a certificate of `localhost`, signed by its own key, and the key (PEM). */
export async function selfSigned(): Promise<{
  readonly certificate: string;
  readonly key: string;
}> {
  const directory = await mkdtemp(join(tmpdir(), "cert-"));
  const [certificate, key] = [join(directory, "certificate"), join(directory, "key")];
  const child = Bun.spawn(
    [
      ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
      ...["-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext"],
      ...["subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
    ],
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  await child.exited;
  const made = { certificate: await Bun.file(certificate).text(), key: await Bun.file(key).text() };
  await rm(directory, { recursive: true });
  return made;
}
