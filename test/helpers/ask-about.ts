/** What a visitor types. */
export interface Asked {
  readonly name: string;
  readonly email: string;
  readonly phone?: string;
  readonly message: string;
}

/**
 * Asks about an animal with the form of a site, as a browser does: opens it, and sends it until it is taken, which is after a
 * few seconds, since programs are quicker than people. `host` is the site's, `server` where the program listens.
 */
export async function askAbout(
  {
    server,
    host,
    petId,
  }: { readonly server: string; readonly host: string; readonly petId: number },
  asked: Asked,
): Promise<void> {
  const form = `${server}/animals/${petId}/enquiry`;
  const opened = await (await fetch(form, { headers: { host } })).text();
  const stamp = / name="stamp" value="([^"]*)"/.exec(opened)?.[1] ?? "";
  const headers = { host, "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ phone: "", consent: "yes", stamp, ...asked }).toString();
  for (;;) {
    const sent = await fetch(form, { method: "POST", headers, body, redirect: "manual" });
    if (sent.status === 303) return;
    if (sent.status !== 422) throw new Error(`${form}: ${sent.status} ${await sent.text()}`);
    await Bun.sleep(100);
  }
}
