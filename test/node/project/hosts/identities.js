import { createPetstore, StoreUnavailable } from "petstore";
import { nodeSqliteSql } from "petstore/stores/node-sqlite";

// Prints whether the failure of another entry point is of the core's class, and the stack of an error in a chunk.
const failure = await nodeSqliteSql({ path: `${import.meta.filename}/pets.sqlite` }).catch(
  (error) => error,
);
let stack = "";
try {
  createPetstore({ stor: 1 });
} catch (error) {
  ({ stack } = error);
}
console.log(JSON.stringify({ same: failure instanceof StoreUnavailable, stack }));
