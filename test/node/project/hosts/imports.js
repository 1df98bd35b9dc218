const subpaths = [
  "petstore",
  "petstore/node",
  "petstore/express",
  "petstore/fastify",
  "petstore/fetch",
  "petstore/koa",
  "petstore/hono",
  "petstore/bun",
  "petstore/client",
  "petstore/stores/memory",
  "petstore/stores/node-sqlite",
  "petstore/stores/postgres",
  "petstore/stores/durable-object",
  "petstore/limiters/redis",
  "petstore/publishing",
  "petstore/management",
  "petstore/members",
  "petstore/mail",
  "petstore/mail/smtp",
  "petstore/domains",
  "petstore/blobs/directory",
  "petstore/blobs/postgres",
  "petstore/blobs/s3",
  "petstore/images/bun",
  "petstore/images/sharp",
  "petstore/compress",
  "petstore/markdown",
  "petstore/passkeys",
  "petstore/passwords/bun",
  "petstore/testing",
];

const environment = new Set();
process.env = new Proxy(process.env, {
  get: (target, name) => {
    // Node itself reads some variables while it loads modules.
    const reader = new Error().stack.split("\n")[2];
    if (!/[ (]node:internal\//.test(reader)) environment.add(String(name));
    return target[name];
  },
});
// Node opens these on first use, for example for its warning about SQLite.
const streams = [process.stdout, process.stderr];
const resources = process.getActiveResourcesInfo();

const threw = [];
for (const subpath of subpaths) {
  await import(subpath).catch((error) => threw.push(String(error)));
}

const opened = process.getActiveResourcesInfo().slice(resources.length);
streams[0].write(JSON.stringify({ environment: [...environment], resources: opened, threw }));
