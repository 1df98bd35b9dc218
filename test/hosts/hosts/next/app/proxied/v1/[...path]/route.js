import { fetchHandler } from "petstore/fetch";
import { openService } from "petstore-host-kit";

const open = () => (globalThis.proxied ??= openService());
const handle = fetchHandler(open, { prefix: "/proxied", trustProxy: true });
export {
  handle as GET,
  handle as HEAD,
  handle as POST,
  handle as PUT,
  handle as PATCH,
  handle as DELETE,
  handle as OPTIONS,
};
