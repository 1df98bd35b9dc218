import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { sqlTokenStore } from "../../lib/accounts/storage/sql-token-store.ts";
import { sqlAuditStore } from "../../lib/audit/index.ts";
import type { Clock } from "../../lib/base/clock.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import { sqlEnquiryStore } from "../../lib/enquiries/index.ts";
import { sqlMailStore } from "../../lib/mail/index.ts";
import { sqlMemberStore } from "../../lib/members/index.ts";
import { sqlProjectStore } from "../../lib/publishing/index.ts";
import { sqlRequestStore } from "../../lib/requests/index.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { sqlWebhookStore } from "../../lib/webhooks/index.ts";
import { domainStoreContract } from "../../testing/domains/index.ts";
import {
  auditStoreContract,
  enquiryStoreContract,
  mailStoreContract,
  memberStoreContract,
  projectStoreContract,
  requestStoreContract,
  tokenStoreContract,
  webhookStoreContract,
} from "../../testing/index.ts";
import { describeContract, describeOpening } from "./run.ts";

/**
 * Runs the contracts of all stores beside the petstore's own over the empty databases that `open` creates. `withClock`
 * sets the clock of a database that does not use the one of its stores.
 */
export function describeSqlStores(
  adapter: string,
  open: () => Eventual<Sql>,
  withClock: (sql: Sql, clock: Clock) => Sql = (sql) => sql,
): void {
  /** Opens a petstore's store, and what `beside` opens over the same database. */
  const opening =
    <Beside>(beside: (sql: Sql) => Promise<Beside>) =>
    async () => {
      const sql = await open();
      const store = await sqlStore({ sql });
      return { store, ...(await beside(sql)), close: () => store.close() };
    };

  describeContract(
    `${adapter} as a token store`,
    tokenStoreContract(opening(async (sql) => ({ tokens: await sqlTokenStore({ sql }) }))),
  );
  describeContract(
    `${adapter} as a member store`,
    memberStoreContract(
      opening(async (sql) => ({
        tokens: await sqlTokenStore({ sql }),
        members: await sqlMemberStore({ sql }),
      })),
    ),
  );
  describeContract(
    `${adapter} as an enquiry store`,
    enquiryStoreContract(opening(async (sql) => ({ enquiries: await sqlEnquiryStore({ sql }) }))),
  );
  describeContract(
    `${adapter} as an audit store`,
    auditStoreContract(opening(async (sql) => ({ audit: await sqlAuditStore({ sql }) }))),
  );
  describeContract(
    `${adapter} as a webhook store`,
    webhookStoreContract(opening(async (sql) => ({ webhooks: await sqlWebhookStore({ sql }) }))),
  );
  describeContract(
    `${adapter} as a request store`,
    requestStoreContract(opening(async (sql) => ({ requests: await sqlRequestStore({ sql }) }))),
  );
  describeContract(
    `${adapter} as a mail store`,
    mailStoreContract(opening(async (sql) => ({ mails: await sqlMailStore({ sql }) }))),
  );
  describeOpening(
    `${adapter} as a project store`,
    projectStoreContract,
    opening(async (sql) => ({ projectStore: await sqlProjectStore({ sql }) })),
    ({ close }) => close(),
  );
  describeContract(
    `${adapter} as a domain store`,
    domainStoreContract(async (clock) => {
      const sql = withClock(await open(), clock);
      const store = await sqlStore({ sql, clock });
      return {
        store,
        domains: await sqlDomainStore({ sql, clock }),
        leases: sqlLeases({ sql, clock }),
        close: () => store.close(),
      };
    }),
  );
}
