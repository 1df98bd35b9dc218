// Runs the contract of limiters over a package for Redis: node redis.js ioredis|redis URL CA
import { readFile } from "node:fs/promises";

import { redisLimiter } from "petstore/limiters/redis";
import { limiterContract, manualClock } from "petstore/testing";

const [, , name, url, caFile] = process.argv;
const ca = caFile && (await readFile(caFile, "utf8"));
const { Redis, createClient } = await import(name);
const connect = (options) => (Redis === undefined ? createClient(options) : new Redis(options));

const patient = { connectTimeoutMs: 60_000, deadlineMs: 60_000, ...(ca && { ca }) };
let opened = [];
const open = (more) => {
  const limiter = redisLimiter({
    url,
    connect,
    prefix: `${name} ${Math.random()}:`,
    ...patient,
    ...more,
  });
  opened.push(limiter);
  return limiter;
};

let cases = 0;
const broken = [];
for (const { name: what, run } of limiterContract(() => {
  const clock = manualClock(Date.UTC(2026, 10, 20));
  return { clock, limiter: open({ clock }) };
})) {
  cases++;
  await run().catch((error) => broken.push(`${what}: ${error.message}`));
  for (const limiter of opened) limiter.close();
  opened = [];
}

const spender = { counter: "catalogue 1", keyId: "key" };
const limits = { perMinute: 50, perDay: 1_000 };
const limiter = open();
const spent = await Promise.all(Array.from({ length: 60 }, () => limiter.spend(spender, limits)));
const allowed = spent.filter((verdict) => verdict.allowed).length;

const outcomeOf = async (one) => {
  try {
    return (await one.spend(spender, limits)).allowed;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const port = new URL(url).port;
const failures = {
  password: await outcomeOf(open({ url: url.replace(/:[^:@]*@/, ":wrong@") })),
  port: await outcomeOf(open({ url: url.replace(`:${port}`, ":1") })),
  client: await outcomeOf(
    open({ connect: () => ({ connect: async () => {}, get: async () => {} }) }),
  ),
  ...(ca && {
    name: await outcomeOf(open({ url: url.replace("localhost", "127.0.0.1") })),
    authority: await outcomeOf(open({ ca: undefined })),
  }),
};
for (const one of opened) one.close();
// Whatever is still open keeps this process from its end.
console.log(JSON.stringify({ cases, broken, allowed, failures }));
