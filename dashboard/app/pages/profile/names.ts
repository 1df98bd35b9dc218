/** What a password must not be made of: whose it is, and where. The service judges by the same. */
export function namesOf({
  email,
  name,
}: {
  readonly email: string;
  readonly name: string;
}): readonly string[] {
  return [email, name, location.hostname];
}
