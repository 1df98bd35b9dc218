/** Lines of a `.env` file with a key, and where it is used. */
export function envFile(token: string, address: string): string {
  return `PETSTORE_API_KEY=${token}\nPETSTORE_API_URL=${address}\n`;
}

/** A line for a terminal that works as it is: it lists the animals. */
export function curlLine(token: string, address: string): string {
  return `curl -H 'Authorization: Bearer ${token}' ${address}/pets`;
}
