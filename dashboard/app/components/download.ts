/** Lets the browser save a file that was made in the page. */
export function download(name: string, type: string, parts: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Once the browser has taken it: it reads the file in its own time.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
