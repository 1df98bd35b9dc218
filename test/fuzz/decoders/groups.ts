import type { Decoder } from "../kit/decoder.ts";

/** The decoders of a process. A decoder that freezes ends its process. */
export const groups = {
  wire: async (): Promise<readonly Decoder[]> => (await import("./wire.ts")).wire,
  http1: async (): Promise<readonly Decoder[]> => (await import("./http1.ts")).http1,
  dns: async (): Promise<readonly Decoder[]> => (await import("./dns.ts")).dns,
  headers: async (): Promise<readonly Decoder[]> => (await import("./headers.ts")).headers,
  names: async (): Promise<readonly Decoder[]> => (await import("./names.ts")).names,
  documents: async (): Promise<readonly Decoder[]> => (await import("./documents.ts")).documents,
  authority: async (): Promise<readonly Decoder[]> => (await import("./authority.ts")).authority(),
  archives: async (): Promise<readonly Decoder[]> => (await import("./archives.ts")).archives(),
  tables: async (): Promise<readonly Decoder[]> => (await import("./tables.ts")).tables(),
  storage: async (): Promise<readonly Decoder[]> => (await import("./storage.ts")).storage(),
  pictures: async (): Promise<readonly Decoder[]> => (await import("./pictures.ts")).pictures(),
  broken: async (): Promise<readonly Decoder[]> => (await import("./broken.ts")).broken,
};

export type Group = keyof typeof groups;

export function isGroup(name: string): name is Group {
  return Object.hasOwn(groups, name);
}
