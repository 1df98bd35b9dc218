import type { Row } from "./row.ts";
import { admission } from "./rows/admission.ts";
import { attached } from "./rows/attached.ts";
import { backup } from "./rows/backup.ts";
import { burst } from "./rows/burst.ts";
import { create } from "./rows/create.ts";
import { depth } from "./rows/depth.ts";
import { growth } from "./rows/growth.ts";
import { handshakes } from "./rows/handshakes.ts";
import { https } from "./rows/https.ts";
import { importing } from "./rows/import.ts";
import { keeper } from "./rows/keeper.ts";
import { limits } from "./rows/limits.ts";
import { list } from "./rows/list.ts";
import { againstPeers } from "./rows/peers.ts";
import { nodes } from "./rows/nodes.ts";
import { photos } from "./rows/photos.ts";
import { postgres } from "./rows/postgres.ts";
import { stall } from "./rows/stall.ts";
import { start } from "./rows/start.ts";
import { staticFiles } from "./rows/static.ts";
import { surveys } from "./rows/surveys.ts";
import { verifyLive } from "./rows/verify-live.ts";
import { webhooks } from "./rows/webhooks.ts";

/** The rows of the table, in order. */
export const rows: readonly Row[] = [
  list,
  create,
  againstPeers,
  depth,
  admission,
  https,
  handshakes,
  attached,
  verifyLive,
  burst,
  keeper,
  surveys,
  staticFiles,
  start,
  importing,
  stall,
  postgres,
  backup,
  growth,
  limits,
  nodes,
  photos,
  webhooks,
];
