import { fetchHandler } from "petstore/fetch";
import { openService } from "petstore-host-kit";

const handle = fetchHandler(() => openService(), {
  prefix: "/of/:city",
  address: (_, context) => context.clientAddress,
});
export const ALL = (context) => handle(context.request, context);
