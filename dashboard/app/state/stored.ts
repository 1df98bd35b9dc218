/** What this browser remembers for itself; where it may remember nothing, nothing is remembered. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`petstore-${name}`);
  } catch {
    // Storage is forbidden here: every choice holds for this visit.
    return null;
  }
}

export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`petstore-${name}`);
    else localStorage.setItem(`petstore-${name}`, value);
  } catch {
    // As above.
  }
}
