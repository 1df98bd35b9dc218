/** Returns the members that are not undefined: a checked body contains absent members as `undefined`. */
export function withoutUndefined<Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]: Exclude<Members[Name], undefined> } {
  const there = Object.entries(members).filter(([, value]) => value !== undefined);
  // Only members whose type includes undefined are missing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(there) as ReturnType<typeof withoutUndefined<Members>>;
}
