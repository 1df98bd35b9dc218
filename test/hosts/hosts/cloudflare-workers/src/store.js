import { memoryStore } from "petstore/stores/memory";

export const store = memoryStore();
