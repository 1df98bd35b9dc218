/** The name of the TXT record by which the ownership of a domain is proven. */
export function ownershipName(domain: string): string {
  return `_petstore.${domain}`;
}
