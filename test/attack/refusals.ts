import { derivedContactId } from '../../lib/store/ids.ts';
import { attack, must } from './attack.ts';
import type { Received, Sent } from './send.ts';
import type { World } from './world.ts';

/** The maximum time in milliseconds for any input, while other attacks run. */
export const patience = 10_000;

export function refused(answer: Received, statuses: readonly number[]): void {
  const { status, json, text, milliseconds } = answer;
  must(statuses.includes(status), `status ${status}, not ${statuses.join(' or ')}`, text);
  must(milliseconds < patience, `took ${Math.round(milliseconds)} ms`);
  must(
    typeof json === 'object' && json !== null && ('error' in json || 'message' in json),
    'no documented error',
    text,
  );
  must(
    !/\bat .*\.[jt]s|node_modules|TypeError|RangeError|SyntaxError|ZodError|DynamoDB/.test(text),
    'shows its inside',
    text,
  );
}

export const jsonHeaders = ({ ours }: World): [string, string][] => [
  ['authorization', `Bearer ${ours.token}`],
  ['content-type', 'application/json'],
];

/** A body for contacts that must be rejected without storing anything. */
export function refusedBody(
  world: World,
  group: string,
  name: string,
  body: string | Uint8Array,
  statuses: readonly number[],
) {
  return attack(group, name, async () => {
    const sent: Sent = { method: 'POST', target: '/v1/contacts', headers: jsonHeaders(world), body };
    refused(await world.send(sent), statuses);
    for (const uniqueId of ['j', 'values']) {
      const { status } = await world.call('GET', `/v1/contacts/${derivedContactId(world.ours.teamId, uniqueId)}`);
      must(status === 404, 'a contact was stored');
    }
  });
}
