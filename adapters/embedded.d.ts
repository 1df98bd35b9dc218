// Bun embeds these files as texts, and scripts/embed-texts.mjs writes them into the npm package.

declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.lua" {
  const text: string;
  export default text;
}
