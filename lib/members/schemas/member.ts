import { named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import { accountRoles, type AccountRole } from "../../management/model/principal.ts";
import { optionalNameSchema } from "../../model/name-schema.ts";
import { emailJson, faultOfEmail } from "../model/email.ts";

type Named<Value> = Schema<Value> & { readonly name: string };

export const EmailSchema: Schema<string> = string(faultOfEmail, emailJson);
const name = optionalNameSchema(120, "For people.");

/** The body of `createMember`. */
export const NewOperatorSchema: Named<{
  readonly email: string;
  readonly name?: string | undefined;
}> = named("NewOperator", object({ email: EmailSchema }, { name }));

/** The body of `createAccountMember`. */
export const NewMemberSchema: Named<{
  readonly email: string;
  readonly role: AccountRole;
  readonly name?: string | undefined;
}> = named("NewMember", object({ email: EmailSchema, role: oneOf(accountRoles) }, { name }));

/** The body of `updateAccountMember`. */
export const MemberUpdateSchema: Named<{ readonly role: AccountRole }> = named(
  "MemberUpdate",
  object({ role: oneOf(accountRoles) }),
);
