import type {
  BatchExecuteStatementInput,
  BatchExecuteStatementOutput,
  BatchGetItemInput,
  QueryInput,
  ScanInput,
  TransactWriteItemsInput,
  UpdateItemInput,
} from '@aws-sdk/client-dynamodb';
import type { Operation } from '../engine/engine.ts';

type Expressions = { ExpressionAttributeNames?: Record<string, string> | undefined };
type Conditional = Expressions & { UpdateExpression?: string | undefined; ConditionExpression?: string | undefined };

/** The expression with the names that its placeholders stand for, and `?` for each value. */
const readable = (expression = '', { ExpressionAttributeNames = {} }: Expressions) =>
  expression.replace(/#\w+/g, (name) => ExpressionAttributeNames[name] ?? name).replace(/:\w+/g, '?');

const written = (each: Conditional) =>
  [
    ...(each.UpdateExpression === undefined ? [] : [readable(each.UpdateExpression, each)]),
    ...(each.ConditionExpression === undefined ? [] : [`if ${readable(each.ConditionExpression, each)}`]),
  ].join(' ');

function queryText(input: QueryInput): string {
  const source = input.IndexName === undefined ? '' : ` on ${input.IndexName}`;
  return [
    `Query ${readable(input.KeyConditionExpression, input)}${source}`,
    ...(input.ConsistentRead ? ['strongly'] : []),
    ...(input.FilterExpression === undefined ? [] : [`where ${readable(input.FilterExpression, input)}`]),
    ...(input.ScanIndexForward === false ? ['descending'] : []),
    ...(input.Limit === undefined ? [] : [`limit ${input.Limit}`]),
  ].join(', ');
}

/** Texts of each statement or expression of a request that reads or writes items.  */
export function textsOf(operation: Operation, input: unknown): string[] {
  switch (operation) {
    case 'BatchGetItem': {
      const { RequestItems = {} } = input as BatchGetItemInput;
      return Object.values(RequestItems).map(
        ({ Keys = [], ConsistentRead }) => `BatchGetItem, ${Keys.length} keys${ConsistentRead ? ', strongly' : ''}`,
      );
    }
    case 'Query':
      return [queryText(input as QueryInput)];
    case 'Scan': {
      const scan = input as ScanInput;
      const filter = scan.FilterExpression === undefined ? '' : `, where ${readable(scan.FilterExpression, scan)}`;
      return [`Scan${scan.ConsistentRead ? ', strongly' : ''}${filter}`];
    }
    case 'BatchExecuteStatement': {
      const { Statements = [] } = input as BatchExecuteStatementInput;
      return Statements.map(({ Statement = '' }) => Statement.replace(/"[^"]*"/, '"table"'));
    }
    case 'UpdateItem':
      return [`UpdateItem ${written(input as UpdateItemInput)}`];
    case 'TransactWriteItems': {
      const { TransactItems = [] } = input as TransactWriteItemsInput;
      const parts = TransactItems.flatMap((item) => Object.entries(item) as [string, Conditional][]);
      return [parts.map(([kind, part]) => `${kind} ${written(part)}`).join('; ')];
    }
  }
}

/**
 * The forms in a text: without the names of attributes that are not keys, and with `…` for the rest of a list. The parser
 * of an engine accepts either every statement of a form or none; the case of all attribute names tests the names.
 */
export function formsOf(text: string): string[] {
  return text.split('; ').map((part) =>
    part
      .replace(/, limit \d+|, \d+ keys/g, '')
      .replace(/\blookup_\d/g, 'lookup')
      .replace(/VALUE \{[^}]*\}/, insertedForm)
      .replace(/SET .*?(?= REMOVE| WHERE| if )/, 'SET …')
      .replace(/ADD .*/, 'ADD …')
      .replace(/REMOVE [\w"]+(?= WHERE| if )/, 'REMOVE x')
      .replace(/REMOVE \w+, [\w, ]*?(?= if )/, 'REMOVE x, …')
      .replace(/(?<=AND )"(?!pk|sk)\w+"/g, '"x"')
      .replace(/(?<=if .*)attribute_not_exists\((?!pk)\w+\)/g, 'attribute_not_exists(x)')
      .replace(/(?<=if .*AND )\w+ = \?/g, 'x = ?')
      .replace(/( AND "x"=\?| AND x = \?)\1+/g, '$1 AND …'),
  );
}

/** The order of the attributes makes no difference. */
function insertedForm(list: string): string {
  const others = list.replace(/VALUE \{|\}|'(pk|sk)':\?/g, '').replaceAll(',', '');
  return `VALUE {'pk':?,'sk':?${others === '' ? '' : ',…'}}`;
}

/** The results as the engine reports them: one for each statement or part, and whether it sent the old item with it. */
export function codesOf(operation: Operation, result: unknown): string[] {
  if (operation === 'BatchExecuteStatement') {
    const { Responses = [] } = result as BatchExecuteStatementOutput;
    return Responses.map(({ Error: failed }) => codeOf(failed));
  }
  const { name, CancellationReasons } = result as { name?: string; CancellationReasons?: Failed[] };
  if (CancellationReasons) return CancellationReasons.map(codeOf);
  return operation === 'UpdateItem' ? [name ?? 'None'] : [];
}

type Failed = { Code?: string | undefined; Item?: unknown };
const codeOf = (failed?: Failed) =>
  `${failed?.Code ?? 'None'}${failed?.Item === undefined ? '' : ' with the old item'}`;
