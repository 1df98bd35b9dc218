const subpaths = [
  "petstore",
  "petstore/node",
  "petstore/express",
  "petstore/fastify",
  "petstore/hono",
  "petstore/bun",
  "petstore/client",
  "petstore/stores/memory",
  "petstore/stores/node-sqlite",
  "petstore/testing",
];

// Node reads some of it itself before the first import; what is read from now on is ours.
const environment = new Set();
process.env = new Proxy(process.env, {
  get: (target, name) => {
    environment.add(String(name));
    return target[name];
  },
});
const resources = process.getActiveResourcesInfo();

const threw = [];
for (const subpath of subpaths) {
  await import(subpath).catch((error) => threw.push(String(error)));
}

const opened = process.getActiveResourcesInfo().slice(resources.length);
console.log(JSON.stringify({ environment: [...environment], resources: opened, threw }));
