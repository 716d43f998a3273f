import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { all } from '../../../lib/store/table/database.ts';
import { sourcesOf } from '../../support/architecture/sources.ts';
import { freshTable, intercept } from '../../support/engine/engine.ts';
import { newPartition, ownPartition } from '../../support/statements/case.ts';
import { statementCases, statementForms } from '../../support/statements/cases.ts';
import { codesOf, formsOf, textsOf } from '../../support/statements/statement-texts.ts';

const { client, database, tableName } = await freshTable();

let sent: string[] = [];
let codes: string[] = [];
record(client);

/** Notes the text of each request, and the results as the engine reports them. */
function record(recorded: DynamoDBDocumentClient): void {
  intercept(recorded, async (operation, input, send) => {
    sent.push(...textsOf(operation, input));
    try {
      const response = await send();
      codes.push(...codesOf(operation, response));
      return response;
    } catch (error) {
      codes.push(...codesOf(operation, error));
      throw error;
    }
  });
}

test.each(statementCases)('$what', async ({ given, call, sent: expected, result, codes: reported, after }) => {
  const pk = newPartition();
  const own = (value: unknown) => (value === ownPartition ? pk : value);
  for (const item of given) {
    const attributes = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, own(value)]));
    await database.write([{ kind: 'insert', item: { pk, sk: item.sk, ...attributes } }]);
  }
  sent = [];
  codes = [];
  expect(await call({ database, client, tableName, pk })).toEqual(result);
  expect(sent.toSorted()).toEqual(expected.toSorted());
  expect(codes.toSorted()).toEqual((reported ?? []).toSorted());
  if (!after) return;
  const bySortKey = after.toSorted((a, b) => (a.sk < b.sk ? -1 : 1));
  expect(await all(database, { pk })).toEqual(bySortKey.map((item) => ({ pk, ...item })));
});

test('a statement of another form is refused by the tests', async () => {
  const [text] = textsOf('Scan', { TableName: tableName });
  expect(formsOf(text ?? '').filter((form) => statementForms.has(form))).toEqual([]);
});

test('no other file of the service sends statements or expressions', () => {
  const command =
    /new \w*(Get|Put|Update|Delete|Write|GetItem|PutItem|UpdateItem|DeleteItem|WriteItems?|Query|Scan|Statement|Transaction)Command\(/;
  const senders = sourcesOf('bin', 'functions', 'lib')
    .filter(
      ({ text }) =>
        (/from '@aws-sdk\/(lib|client)-dynamodb'/.test(text) && command.test(text)) ||
        (text.includes('DynamoDBDocumentClient') && /\.send\(\s*'\w+',/.test(text)),
    )
    .map(({ file }) => file);
  expect(senders).toEqual(['bin/admin/store/table-scan.ts', 'lib/store/table/dynamodb.ts']);
});
