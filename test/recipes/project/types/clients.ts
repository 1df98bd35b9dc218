import { Redis as Redis5 } from "ioredis5";
import { Redis } from "ioredis";
import { redisLimiter } from "petstore/limiters/redis";
import { createClient } from "redis";
import { createClient as createClient5 } from "redis5";

const url = "redis://127.0.0.1:6379";
redisLimiter({ url, connect: (options) => new Redis(options) });
redisLimiter({ url, connect: (options) => new Redis5(options) });
redisLimiter({ url, connect: (options) => createClient(options) });
redisLimiter({ url, connect: (options) => createClient5(options) });
