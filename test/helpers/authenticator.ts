import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";

/** A software authenticator that responds like a phone's passkey (WebAuthn Level 3, §6). */
export interface Authenticator {
  /** The id of its credential. */
  readonly credentialId: string;
  /** Returns the result of `navigator.credentials.create`. */
  create(options: CeremonyOptions, changes?: Changes): object;
  /** Returns the result of `navigator.credentials.get`, with an incremented counter. */
  get(options: CeremonyOptions, changes?: Changes): object;
}

interface CeremonyOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
}

/** Deviations from a valid response. */
export interface Changes {
  readonly counter?: number;
  readonly type?: string;
  /** Signs with an unknown key. */
  readonly wrongKey?: true;
  /** Skips user verification (finger, face or PIN). */
  readonly unverified?: true;
}

const USER_PRESENT = 0x01;
const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

export function createAuthenticator(): Authenticator {
  const { publicKey, privateKey } = keyPair();
  const credentialId = randomBytes(16);
  let uses = 0;

  const clientData = (type: string, { challenge, origin }: CeremonyOptions): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  return {
    credentialId: credentialId.toString("base64url"),
    create: (options, { type = "webauthn.create", unverified } = {}) => {
      const data = clientData(type, options);
      const credential = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        coseOf(publicKey),
      ]);
      const flags = presence(unverified) | HAS_CREDENTIAL;
      const authData = Buffer.concat([authenticatorData(options.rpId, flags, 0), credential]);
      const attestationObject = cbor(
        new Map<string, CborValue>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      return answerOf(credentialId, {
        clientDataJSON: data.toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      });
    },
    get: (options, { counter, type = "webauthn.get", wrongKey, unverified } = {}) => {
      uses += 1;
      const data = clientData(type, options);
      const count = counter ?? uses;
      const authData = authenticatorData(options.rpId, presence(unverified), count);
      const signer = createSign("SHA256");
      signer.update(Buffer.concat([authData, createHash("sha256").update(data).digest()]));
      return answerOf(credentialId, {
        clientDataJSON: data.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signer
          .sign(wrongKey === true ? keyPair().privateKey : privateKey)
          .toString("base64url"),
      });
    },
  };
}

function presence(unverified: true | undefined): number {
  return unverified === true ? USER_PRESENT : USER_PRESENT_AND_VERIFIED;
}

function keyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function answerOf(credentialId: Buffer, response: object): object {
  const id = credentialId.toString("base64url");
  return {
    id,
    rawId: id,
    type: "public-key",
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
    response,
  };
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags, 0);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash("sha256").update(rpId).digest(), rest]);
}

/** Returns an EC2 key with ES256 on P-256 (RFC 9053 §7.1.1). */
function coseOf(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return cbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]),
  );
}

type CborValue = number | string | Buffer | ReadonlyMap<number | string, CborValue>;

/** Encodes the subset of CBOR (RFC 8949) that authenticators use. */
function cbor(value: CborValue): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = Array.from(value, ([key, item]) => Buffer.concat([cbor(key), cbor(item)]));
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
