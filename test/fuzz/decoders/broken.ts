import { ofText, type Decoder } from "../kit/decoder.ts";

const row = {
  file: "test/fuzz/decoders/broken.ts",
  valid: () => "1,2,3,4,5,6,7,8",
  longest: 64 * 1_024,
  inputs: 250,
  stretches: 8,
};

const kept: string[] = [];

/** Decoders that break one promise each, to prove that it is noticed. The last one breaks none. */
export const broken: readonly Decoder[] = [
  ofText({
    ...row,
    name: "freezes",
    decode: (text) => {
      for (let at = 0; at < text.length; at += text[at] === "x" ? 0 : 1);
      return true;
    },
    extremes: [(size) => "x".repeat(size)],
  }),
  ofText({ ...row, name: "throws", decode: (text) => decodeURIComponent(text) }),
  ofText({ ...row, name: "never settles", decode: () => new Promise(() => undefined) }),
  ofText({
    ...row,
    name: "rejects behind its caller's back",
    decode: (text) => {
      if (text.length < 5) void Promise.reject(new Error("unheard"));
      return true;
    },
  }),
  ofText({
    ...row,
    name: "takes quadratic time",
    longest: 16_000,
    perByteUs: 0,
    decode: (text) => !/^(?:\d|,)*\d,(?:\d|,)*!$/.test(text),
  }),
  ofText({
    ...row,
    name: "takes too much memory",
    stretches: 1,
    perByteUs: 10_000,
    decode: (text) => text.length > 1_000 && new Uint8Array(220 * 1_048_576).fill(1),
  }),
  ofText({
    ...row,
    name: "keeps memory",
    stretches: 0,
    decode: (text) => kept.push(`${kept.length} ${text}`.padEnd(500_000).toUpperCase()) > 0,
  }),
  ofText({ ...row, name: "is fine", decode: (text) => /^[\d,]*$/.test(text) }),
];
