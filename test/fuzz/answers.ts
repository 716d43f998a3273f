import type { Trial } from './draft.ts';
import type { InterfaceDocument, Response } from './schema.ts';
import type { Received } from './transport.ts';

/** What is wrong with the response: for this request, and by the document. */
export function errorDetailsOf(document: InterfaceDocument, trial: Trial, answer: Received): string[] {
  const { statuses, because, sent } = trial;
  const { status } = answer;
  if (status === 431 && isHeadTooLarge(sent)) return [];
  const unexpected = `answered ${status} and not ${statuses.join(' or ')}, though ${because}`;
  const response = responseOf(trial, status);
  return [
    ...(statuses.includes(status) || isTooLarge(trial, status) || isDuplicate(trial, answer) ? [] : [unexpected]),
    ...(response
      ? [...bodyErrors(document, response, sent.method, answer), ...headerFaults(document, response, answer)]
      : ['the document does not name that status']),
  ];
}

/** The gateway limits the request line and the headers together, with a few that the transport adds. */
const isHeadTooLarge = ({ target, headers }: Trial['sent']): boolean =>
  target.length + headers.flat().join('').length > 10_000;

/** Public operations check the size of a body first. */
const isTooLarge = ({ operation, sent }: Trial, status: number): boolean =>
  status === 413 && /^\/(?:[jc]\/|oauth2)/.test(operation.path) && Buffer.byteLength(sent.body ?? '') > 16 * 1024;

/** A pair that was accepted before is a duplicate, whatever the rest of the request contains. */
const isDuplicate = ({ operation }: Trial, { status, text }: Received): boolean =>
  operation.id === 'createBatch' && status === 202 && JSON.parse(text).duplicate === true;

/** The responses for an unknown path or a method that is not allowed. */
const unrouted: Response = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
};

function responseOf({ operation, isUnrouted }: Trial, status: number): Response | undefined {
  if (!isUnrouted) return operation.responses[String(status)];
  return [404, 405].includes(status) ? unrouted : undefined;
}

function bodyErrors(
  document: InterfaceDocument,
  { content }: Response,
  method: string,
  { headers, text }: Received,
): string[] {
  if (method === 'HEAD') return [];
  if (!content) return text === '' ? [] : ['it has a body that the document does not name'];
  const type = String(headers['content-type']).split(';', 1)[0]!;
  const described = content[type];
  if (!described) return [`it is ${type} and not ${Object.keys(content).join(' or ')}`];
  const fault = type.endsWith('json') ? document.fault(described.schema, JSON.parse(text)) : undefined;
  return fault === undefined ? [] : [fault];
}

/** Headers that are present only in the cases that their descriptions name. */
const conditional = ['etag', 'link', 'deprecation', 'retry-after', 'set-cookie'];

function headerFaults(document: InterfaceDocument, { headers = {} }: Response, answer: Received): string[] {
  // Responses of the gateway itself have their own format and none of the service's headers.
  if (/^\{"message":"[^"]*"\}$/.test(answer.text)) return [];
  return Object.entries(headers).flatMap(([name, { schema }]) => {
    const value = answer.headers[name];
    if (value === undefined) return conditional.includes(name) ? [] : [`it lacks the header ${name}`];
    const read = schema.type === 'integer' ? Number(value) : String(value);
    return document.isValid(schema, read) ? [] : [`its header ${name} is not as the document says`];
  });
}
