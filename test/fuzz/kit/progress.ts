/** Where a process is, visible to another one even if it is frozen. */
export interface Progress {
  set(decoder: number, input: number): void;
  get(): { readonly decoder: number; readonly input: number };
}

const BYTES = 16;

/** Creates the file of a progress. */
export async function createProgress(file: string): Promise<Progress> {
  await Bun.write(file, new Uint8Array(BYTES));
  return progressIn(file);
}

/** Maps the file into memory, so that setting a number costs no system call. */
export function progressIn(file: string): Progress {
  const bytes = Bun.mmap(file, { shared: true });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    set: (decoder, input) => {
      view.setUint32(0, decoder);
      view.setFloat64(8, input);
    },
    get: () => ({ decoder: view.getUint32(0), input: view.getFloat64(8) }),
  };
}
