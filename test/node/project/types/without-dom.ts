// The others.
import "petstore/domains";
import "petstore/testing/domains";
