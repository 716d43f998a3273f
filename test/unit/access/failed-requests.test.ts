import { expect, test } from 'vitest';
import { inLogsOf } from '../../../bin/admin/store/access/failed-requests.ts';

const [teamId, clientId] = ['0b0d0000-0000-4000-8000-000000000001', '0b0d0000-0000-4000-8000-000000000002'];
const wanted = { teamId, clientId, since: 1_800_000_000_000, until: 1_800_086_400_000 };

const fieldsOf = (line: Record<string, string>) => Object.entries(line).map(([field, value]) => ({ field, value }));
const line = (at: string, more: object = {}) =>
  fieldsOf({ '@timestamp': at, '@ptr': 'x', route: 'get-contact', status: '404', requestId: at.slice(-3), ...more });

/** AWS with these states of the query, one after another, and the inputs that it got. */
function aws(...states: object[]) {
  const inputs: Record<string, unknown>[] = [];
  const group = (LogicalResourceId: string, ResourceType = 'AWS::Logs::LogGroup') => ({
    ...{ LogicalResourceId, ResourceType, PhysicalResourceId: `physical-${LogicalResourceId}` },
  });
  const pages: Record<string, object> = {
    '': {
      StackResourceSummaries: [group('getcontactLogs12345678'), group('importworkerLogs12345678')],
      NextToken: 'more',
    },
    more: { StackResourceSummaries: [group('createtokenLogs12345678'), group('getcontactLogs87654321', 'AWS::Other')] },
  };
  const stacks = { send: async ({ input }: { input: { NextToken?: string } }) => pages[input.NextToken ?? ''] };
  const logs = {
    send: async ({ input }: { input: Record<string, unknown> }) => {
      inputs.push(input);
      return 'queryString' in input ? { queryId: 'q' } : states.shift();
    },
  };
  const clients = async () => ({ stacks, logs }) as never;
  return { inputs, find: inLogsOf('Onboarding', clients, async () => {}) };
}

test('the logs of the functions that clients call are queried for the failed requests of one client', async () => {
  const { inputs, find } = aws(
    { status: 'Running' },
    {
      status: 'Complete',
      results: [
        line('2027-01-15 08:00:00.001'),
        line('2027-01-15 08:00:00.002', { method: 'GET', code: 'not_found' }),
        line('2027-01-15 08:00:00.000', { route: 'gone' }),
      ],
    },
  );
  const common = { route: 'get-contact', path: '/v1/contacts/{id}', status: 404 };
  expect(await find(wanted)).toEqual([
    { ...common, at: '2027-01-15T08:00:00.002Z', method: 'GET', code: 'not_found', request_id: '002' },
    { ...common, at: '2027-01-15T08:00:00.001Z', method: null, code: null, request_id: '001' },
    expect.objectContaining({ route: 'gone', path: null }),
  ]);
  expect(inputs[0]).toMatchObject({
    logGroupNames: ['physical-getcontactLogs12345678', 'physical-createtokenLogs12345678'],
    ...{ startTime: 1_800_000_000, endTime: 1_800_086_400 },
    queryString: expect.stringContaining(`team_id = "${teamId}" and client_id = "${clientId}" and status >= 400`),
  });
});

test.each([[[{ status: 'Failed' }]], [Array.from({ length: 121 }, () => ({ status: 'Running' }))]])(
  'a query that fails or does not end is an error',
  async (states) => {
    await expect(aws(...states).find(wanted)).rejects.toMatchObject({ code: 'unavailable' });
  },
);
