/** Whether every word of the question is somewhere in the text, however it is written. */
export function matches(question: string, text: string): boolean {
  const there = plain(text);
  return plain(question)
    .split(/\s+/)
    .every((word) => there.includes(word));
}

function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
