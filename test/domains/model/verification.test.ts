import { expect, test } from "bun:test";
import { verify } from "../../../domains/model/verification.ts";
import { factsOf, surveyOf } from "../../helpers/survey.ts";

test("a name whose CNAME is its own target is verified", () => {
  const { state, findings, leadsHere } = verify(surveyOf(), factsOf());
  expect(state).toBe("verified");
  expect(leadsHere).toBe(true);
  expect(findings.map(({ code }) => code)).toEqual(["cname_found"]);
});

test("a name without a record is blocked and told what to enter", () => {
  const { state, nextAction } = verify(surveyOf({ all: {} }), factsOf());
  expect(state).toBe("blocked");
  expect(nextAction).toContain('name "pets"');
});
