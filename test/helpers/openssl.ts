/** What a handshake by OpenSSL came to. */
export interface OpensslHandshake {
  /** Common name of the certificate that was presented; of the first handshake when a session was resumed. */
  readonly subject: string | undefined;
  /** As `TLSv1.3`; undefined if there was no handshake. */
  readonly version: string | undefined;
  readonly resumed: boolean;
  readonly protocol: string | undefined;
  /** The alert that ended it, by its number. */
  readonly alert: number | undefined;
  /** All that was written. */
  readonly output: string;
}

/** Returns a handshake by `openssl s_client`, with `request` sent after it; nothing sent means that we hang up first. */
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
