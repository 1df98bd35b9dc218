import { ExpressAdapter } from "@nestjs/platform-express";

import { expressHandler } from "petstore/express";
import { openService } from "petstore-host-kit";

/** An application of its own, because the setting is one of the application. */
const behindProxy = new ExpressAdapter().getInstance();
behindProxy.set("trust proxy", 1).use(expressHandler(await openService()));

export function mountBehindProxy(app) {
  app.use("/proxied", behindProxy);
}
