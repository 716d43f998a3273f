import { createdViolations } from './check-contacts.ts';
import type { Law, Violation } from './checker.ts';
import type { AnswersRead, Attempt, HistoryEvent, JourneyAnswer, JourneyRead, JourneyStart } from './history.ts';
import { circleIn } from './order.ts';

/** `end` is infinite if the sender cannot know whether it took effect. */
type Sent<Event> = Event & { start: number; end: number; isTaken: boolean; attempt: Attempt };
type Journey = {
  contact: string;
  starts: Sent<JourneyStart>[];
  answers: Sent<JourneyAnswer>[];
  reads: JourneyRead[];
  lists: AnswersRead[];
};
type Found = { law: Law; what: string };

/** One journey for each contact, whose answers and completion are never lost and never invented. */
export function journeyViolations(team: string, events: readonly HistoryEvent[]): Violation[] {
  const attempts = new Map(events.flatMap((event) => (event.kind === 'attempt' ? [[event.write, event]] : [])));
  const sent = <Event extends JourneyStart | JourneyAnswer>(event: Event): Sent<Event>[] => {
    const attempt = attempts.get(event.write);
    if (!attempt) return [];
    const isTaken = attempt.status !== null && attempt.status < 300;
    return [{ ...event, attempt, start: attempt.start, end: isTaken ? attempt.end : Infinity, isTaken }];
  };
  const contacts = new Set(events.flatMap((event) => (event.kind === 'start' ? [event.contact] : [])));
  return [...contacts].flatMap((contact) => {
    const own = events.filter((event) => 'contact' in event && event.contact === contact);
    const journey = {
      contact,
      starts: own.flatMap((event) => (event.kind === 'start' ? sent(event) : [])),
      answers: own.flatMap((event) => (event.kind === 'answer' ? sent(event) : [])),
      reads: own.filter((event) => event.kind === 'journey-read'),
      lists: own.filter((event) => event.kind === 'answers-read'),
    };
    const found = [...startViolations(journey), ...progressViolations(journey), ...answerViolations(journey)];
    return found.map((each) => ({ ...each, team }));
  });
}

const lawOf = ({ final }: { final?: true }): Law => (final ? 'lost' : 'stale');

function* startViolations({ contact, starts, reads }: Journey): Generator<Found> {
  yield* createdViolations(`the journey of ${contact}`, starts);
  const ids = new Set([...starts.map(({ attempt }) => attempt.id), ...reads.map(({ id }) => id)]);
  ids.delete(undefined);
  if (ids.size > 1) yield { law: 'twice', what: `the journey of ${contact} is known as ${[...ids].join(', ')}` };
  for (const read of reads) {
    if (read.id !== undefined || !starts.some(({ end }) => end < read.start)) continue;
    yield { law: lawOf(read), what: `the journey of ${contact} is not in the read at ${read.start}` };
  }
}

/** Accepting completes the page, and nothing undoes it. */
function* progressViolations({ contact, answers, reads }: Journey): Generator<Found> {
  const accepting = answers.filter(({ accepts }) => accepts);
  for (const read of reads) {
    const at = `the journey of ${contact}, read at ${read.start},`;
    if (read.isCompleted && !accepting.some(({ start }) => start < read.end)) {
      yield { law: 'invented', what: `${at} is completed, and nobody had accepted` };
    }
    if (read.isCompleted) continue;
    const before = accepting.find(({ end }) => end < read.start);
    if (before) yield { law: lawOf(read), what: `${at} is not completed by ${before.write}` };
    const shown = reads.find(({ isCompleted, end }) => isCompleted && end < read.start);
    if (shown) yield { law: 'lost', what: `${at} is not completed, and it was at ${shown.start}` };
  }
}

function* answerViolations({ contact, answers, lists }: Journey): Generator<Found> {
  const bySent = new Map(answers.map((answer) => [answer.write, answer]));
  for (const { shown, start, end } of lists) {
    const strange = shown.find(({ write, accepts }) => {
      const answer = bySent.get(write);
      return answer?.accepts !== accepts || answer.start > end;
    });
    const what = `the answers of ${contact}, read at ${start},`;
    if (strange) yield { law: 'invented', what: `${what} have ${strange.write} as nobody sent it` };
    const names = shown.map(({ write }) => write);
    if (new Set(names).size < names.length)
      yield { law: 'doubled', what: `${what} have one twice: ${names.join(', ')}` };
  }
  const complete = lists.filter((list) => missingIn(list, answers).length === 0);
  for (const list of lists) {
    const missing = missingIn(list, answers).map(({ write }) => write);
    if (missing.length === 0) continue;
    yield { law: lawOf(list), what: `the answers of ${contact}, read at ${list.start}, lack ${missing.join(', ')}` };
  }
  yield* orderViolations(contact, answers, complete);
}

const missingIn = ({ start, shown }: AnswersRead, answers: readonly Sent<JourneyAnswer>[]) =>
  answers.filter(({ write, end }) => end < start && !shown.some((each) => each.write === write));

/** Answers are listed by their time, and one that was shown is shown from then on. */
function* orderViolations(
  contact: string,
  answers: readonly Sent<JourneyAnswer>[],
  lists: readonly AnswersRead[],
): Generator<Found> {
  const placed = answers.map(({ write: id, start, end }) => ({ id, start, end }));
  const listed = lists.flatMap(({ shown }) =>
    shown.slice(1).map(({ write }, place): [string, string] => [shown[place]!.write, write]),
  );
  const wrong = circleIn(placed, listed);
  if (wrong) yield { law: 'order', what: `the answers of ${contact} are not in their order: ${wrong.join(', ')}` };
  const reads = lists.map(({ start, end }, place) => ({ id: `read ${place} at ${start}`, start, end }));
  const seen = lists.flatMap(({ shown }, place) => {
    const { id } = reads[place]!;
    const isShown = (name: string) => shown.some(({ write }) => write === name);
    return answers.map(({ write }): [string, string] => (isShown(write) ? [write, id] : [id, write]));
  });
  const vanished = circleIn([...placed, ...reads], seen);
  if (vanished) yield { law: 'lost', what: `an answer of ${contact} was shown and is lost: ${vanished.join(', ')}` };
}
