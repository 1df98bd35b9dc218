import { named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import { accountRoles, type AccountRole } from "../../management/model/principal.ts";
import { faultOfEmail, MAX_EMAIL } from "../model/email.ts";

type Named<Value> = Schema<Value> & { readonly name: string };

const email = string(faultOfEmail, { maxLength: MAX_EMAIL, examples: ["ada@shelter.org"] });
const name = string(() => undefined, { maxLength: 120, description: "For people; may be empty." });

/** The body of `createMember`. */
export const NewOperatorSchema: Named<{
  readonly email: string;
  readonly name?: string | undefined;
}> = named("NewOperator", object({ email }, { name }));

/** The body of `createAccountMember`. */
export const NewMemberSchema: Named<{
  readonly email: string;
  readonly role: AccountRole;
  readonly name?: string | undefined;
}> = named("NewMember", object({ email, role: oneOf(accountRoles) }, { name }));

/** The body of `updateAccountMember`. */
export const MemberUpdateSchema: Named<{ readonly role: AccountRole }> = named(
  "MemberUpdate",
  object({ role: oneOf(accountRoles) }),
);
