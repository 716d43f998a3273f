import { expect, test } from 'vitest';
import { type Json, synthesize } from './synthesized.ts';

const arn = 'arn:aws:events:eu-central-1:111122223333:event-bus/bank';
const publisher = ({ functions }: ReturnType<typeof synthesize>) => {
  const { properties, statements } = functions.get('event-publisher')!;
  const put = statements.filter(({ Sid }: Json) => Sid === 'PutEvents');
  return { bus: properties.Environment.Variables.EVENT_BUS, put };
};

test('without the setting there is no bus', () => {
  const stack = synthesize();
  expect(stack.ofType('AWS::Events::EventBus')).toEqual([]);
  expect(publisher(stack)).toEqual({ bus: undefined, put: [] });
});

test('a bus of the institution gets the events, and only from the function that publishes them', () => {
  const stack = synthesize({ events: { bus: arn } });
  expect(stack.ofType('AWS::Events::EventBus')).toEqual([]);
  const statement = { Sid: 'PutEvents', Effect: 'Allow', Action: 'events:PutEvents', Resource: arn };
  expect(publisher(stack)).toEqual({ bus: arn, put: [statement] });
  const others = [...stack.functions].filter(([id]) => id !== 'event-publisher');
  expect(JSON.stringify(others)).not.toContain('events:PutEvents');
});

test('the stack can make the bus, with an archive of all events as long as the feed keeps them', () => {
  const stack = synthesize({ events: { bus: 'made' }, retention: { events: 90 } });
  expect(stack.ofType('AWS::Events::EventBus')).toHaveLength(1);
  expect(stack.ofType('AWS::Events::Archive').map(({ Properties }) => Properties)).toEqual([
    expect.objectContaining({ EventPattern: { source: ['onboarding'] }, RetentionDays: 90 }),
  ]);
  const { bus, put } = publisher(stack);
  expect(bus).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^EventsBus/), 'Arn'] });
  expect(put.map(({ Resource }) => Resource)).toEqual([bus]);
});
