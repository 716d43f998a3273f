import type { StatementCase } from './case.ts';
import { names } from './names.ts';
import { reads } from './reads.ts';
import { formsOf } from './statement-texts.ts';
import { transactions } from './transactions.ts';
import { writes } from './writes.ts';

/**
 * Every form of statement and expression that the service sends, with the attributes of real items. The parsers of
 * engines differ, so the cases run on the embedded engine with the tests, on Amazon's engine with
 * `node test/judges/amazon-engine/run.ts`.
 */
export const statementCases: readonly StatementCase[] = [...reads, ...writes, ...transactions, ...names];

export const statementForms: ReadonlySet<string> = new Set(statementCases.flatMap(({ sent }) => sent.flatMap(formsOf)));
