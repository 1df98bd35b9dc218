import petstore = require("petstore");
import domains = require("petstore/domains");
import memory = require("petstore/stores/memory");

const options: petstore.PetstoreOptions = { store: memory.memoryStore() };
const served: petstore.Petstore = petstore.createPetstore(options);
const { createDomains } = domains;
const made: (options: domains.DomainsOptions) => domains.CustomDomains = createDomains;
export = { served, made };
