import type { JourneyAction } from '../journeys/completion.ts';
import {
  answerCounter,
  answersGroup,
  type Counts,
  dayGroup,
  furtherCounter,
  messageGroup,
  pageGroup,
  pageOf,
  sourceCounter,
  sourceGroup,
  templateMessageOf,
} from '../journeys/counts.ts';
import type { GivenAnswer } from '../journeys/given-answer.ts';
import type { Journey } from '../journeys/journey.ts';
import type { SendRecord } from '../messages/record.ts';

/** The state of a journey that counts. */
export type CountedJourney = {
  journey: Pick<Journey, 'inserted_at' | 'source' | 'completion_verified_at' | 'cancelled_at' | 'expired_at'>;
  actions: readonly JourneyAction[];
  /** The latest answer to each block of each page. */
  answers: readonly GivenAnswer[];
  /** The records of its messages. Left out, they count what they have counted before. */
  messages?: readonly CountedMessage[] | undefined;
};
export type CountedMessage = Pick<
  SendRecord,
  'template_message_id' | 'state' | 'sent_at' | 'delivered_at' | 'unsubscribed_at'
>;

/**
 * What the journey counts: each counter is 1, except those of further options. The order of the actions and answers makes no difference.
 * @param before what it has counted
 */
export function countsOf({ journey, actions, answers, messages }: CountedJourney, before: Counts = {}): Counts {
  const groups: Record<string, Record<string, number>> = {};
  const count = (group: string, counter: string, number = 1) => {
    groups[group] ??= {};
    groups[group][counter] = number;
  };
  const countDay = (time: string | null | undefined, counter: string) => {
    if (time) count(dayGroup(time), counter);
  };
  countDay(journey.inserted_at, 'created');
  countDay(firstOf(actions, 'viewed'), 'opened');
  countDay(firstOf(actions, 'finished'), 'completed');
  countDay(journey.completion_verified_at, 'verified');
  countDay(journey.cancelled_at, 'cancelled');
  countDay(journey.expired_at, 'expired');
  const source = sourceCounter(journey.source);
  count(sourceGroup(source), source);
  const declined = new Set(answers.filter(({ answer }) => answer === 'declined').map(({ page_id }) => page_id));
  for (const { kind, page_id } of actions) {
    const isUndone = kind === 'completed' && declined.has(page_id);
    if (kind !== 'finished') count(pageGroup(page_id), isUndone ? 'undone' : kind);
  }
  for (const page_id of declined) count(pageGroup(page_id), 'declined');
  for (const { page_id, block_id, choices = [] } of answers) {
    const countAnswer = (counter: string, number = 1) =>
      count(answersGroup(page_id, block_id, counter), counter, number);
    for (const choice of choices) countAnswer(answerCounter(choice));
    for (const [key, { length }] of Map.groupBy(choices, (choice) => choice.key)) {
      if (length > 1) countAnswer(furtherCounter(key), length - 1);
    }
  }
  for (const message of messages ?? []) {
    const group = messageGroup(message.template_message_id);
    for (const [counter, isCounted] of Object.entries(countersOf(message))) if (isCounted) count(group, counter);
  }
  const kept = Object.entries(before).filter(([group]) => !messages && templateMessageOf(group) !== undefined);
  return { ...groups, ...Object.fromEntries(kept) };
}

/** A message that waits or was not sent was due, too. Who complains of a message has got it. */
const countersOf = ({ state, sent_at, delivered_at, unsubscribed_at }: CountedMessage) => ({
  due: true,
  sent: sent_at !== null,
  delivered: delivered_at !== null,
  bounced: state === 'bounced',
  complained: state === 'complained',
  unsubscribed: unsubscribed_at !== null,
});

const firstOf = (actions: readonly JourneyAction[], kind: JourneyAction['kind']): string | undefined =>
  actions
    .filter((action) => action.kind === kind)
    .map(({ at }) => at)
    .sort()[0];

/** The actions that these counts of a journey stand for. @param lastViewed time of the latest view */
export const actionsIn = (counts: Counts, lastViewed: string): JourneyAction[] =>
  Object.entries(counts).flatMap(([group, { viewed, completed, undone }]): JourneyAction[] => {
    const page_id = pageOf(group);
    const at = lastViewed;
    if (page_id === undefined) return completed ? [{ kind: 'finished', page_id: '', at }] : [];
    return [
      ...(viewed ? [{ kind: 'viewed' as const, page_id, at }] : []),
      ...(completed || undone ? [{ kind: 'completed' as const, page_id, at }] : []),
    ];
  });
