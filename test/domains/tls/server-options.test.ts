import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import type { SecureContext } from "node:tls";

import { closeRemoved, httpsServerOptions } from "../../../domains/index.ts";
import type { CertificateFor, Presented } from "../../../domains/ports/certificates.ts";
import type { Log } from "../../../lib/index.ts";
import { manualClock } from "../../helpers/clock.ts";
import { selfSigned } from "../../helpers/openssl.ts";

const { certificate: chainPem, key: privateKeyPem } = await selfSigned();
const presented: Presented = { id: "1", chainPem, privateKeyPem, notAfter: 0 };

function optionsFor(certificateFor: CertificateFor) {
  const errors: string[] = [];
  const write = (): void => undefined;
  const log: Log = { debug: write, info: write, warn: write, error: (text) => errors.push(text) };
  const options = httpsServerOptions({ certificateFor, clock: manualClock(0), log });
  const ask = (name: string): Promise<SecureContext | undefined> =>
    new Promise((resolve, reject) => {
      options.SNICallback(name, (error, context) => {
        if (error === null) resolve(context);
        else reject(error);
      });
    });
  return { options, errors, ask };
}

test("a certificate is loaded once, for its name in any letter case", async () => {
  let loads = 0;
  const names: string[] = [];
  const { options, ask } = optionsFor((name) => {
    names.push(name);
    if (name !== "pets.test") return undefined;
    return { id: "1", load: async () => (loads++, presented) };
  });
  const [first, second] = await Promise.all([ask("pets.test"), ask("PETS.test.")]);
  expect([first === second, first !== undefined, await ask("pets.test")]).toEqual([
    true,
    true,
    first,
  ]);
  expect(await ask("other.test")).toBeUndefined();
  expect([loads, names]).toEqual([1, ["pets.test", "pets.test", "pets.test", "other.test"]]);
  expect(options.minVersion).toBe("TLSv1.2");
});

test("a certificate that cannot be loaded ends the handshake, and is reported once", async () => {
  const { errors, ask } = optionsFor(() => ({
    id: "1",
    load: () => Promise.reject(new Error("of the store")),
  }));
  for (let time = 0; time < 3; time++)
    await expect(ask("pets.test")).rejects.toThrow("of the store");
  expect(errors).toEqual(["no certificate could be had for a handshake"]);
});

test("connections end with their names, and the handshakes of removed names too", () => {
  const served = new Set(["a.test", "b.test"]);
  let removed: (() => void) | undefined;
  const server = new EventEmitter();
  const connectionFor = (servername: string) => {
    const socket = Object.assign(new EventEmitter(), { servername, destroyed: false });
    const open = Object.assign(socket, { destroy: () => (socket.destroyed = true) });
    server.emit("secureConnection", open);
    return open;
  };
  const end = closeRemoved(server as never, {
    certificateFor: (name) => (served.has(name) ? { id: name, load: () => undefined } : undefined),
    routes: {
      onRemoved: (listener) => {
        removed = () => listener("a.test");
        return () => (removed = undefined);
      },
    },
  });
  const [a, b, closed] = [
    connectionFor("A.test"),
    connectionFor("b.test"),
    connectionFor("a.test"),
  ];
  closed.emit("close");
  served.delete("a.test");
  removed?.();
  expect([a.destroyed, b.destroyed, closed.destroyed]).toEqual([true, false, false]);
  expect(connectionFor("a.test").destroyed).toBe(true);
  end();
  expect([removed, server.listenerCount("secureConnection")]).toEqual([undefined, 0]);
});
