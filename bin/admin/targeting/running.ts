import { InvalidArgumentError } from 'commander';
import type { Lane } from '../../../lib/domain/waiting-work/lane.ts';
import type { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { walkLane } from '../../../lib/store/targeting/walks.ts';
import { say } from '../../output.ts';
import { templateIds, withReaders } from '../campaigns/readers.ts';
import type { Installation } from '../installation.ts';
import { includeExisting, judgeEverybody } from '../operations/targeting/existing.ts';
import { resumeTargeting } from '../operations/targeting/resume.ts';
import { type TargetingStatus, targetingStatus } from '../operations/targeting/status.ts';
import { journeysToUndo, undoJourneys } from '../operations/targeting/undo.ts';
import { countOption, oneTemplate, timeOption } from '../options.ts';
import { quantity, seldom, tableOf } from '../text.ts';
import { requireConsent, required, team, verb, yes } from '../verb.ts';

const template = required('<id or name>', 'the campaign');
const upTo = (says: string) => required('<n>', says, countOption);
const howFar = 'To see how far it is: npm run admin -- targeting status';

/** What targeting does now, and what changes it. */
export const runningVerbs = {
  status: verb({
    does: 'Show which campaigns find their people by themselves, who waits, what has stopped, and how far a run is',
    parameters: { team },
    reads: true,
    run: async (installation, given) => {
      const status = await targetingStatus(serviceOf(installation), given.team);
      return { value: status, text: statusText(status) };
    },
  }),

  judge: verb({
    does: 'Judge everybody now; otherwise it happens once a day, between 02:00 and 06:00 of the time zone of the team',
    parameters: { team },
    run: async (installation, { team: team_id }) => {
      await judgeEverybody(serviceOf(installation), team_id);
      await wake(installation, walkLane(team_id));
      return { value: { team_id, asked: true }, text: `Everybody is judged. ${howFar} --team ${team_id}` };
    },
  }),

  'include-existing': verb({
    does: 'Start a campaign also for people for whom its rule held before it went live; counts them first',
    parameters: {
      ...{ team, template },
      from: required(
        '<time>',
        'only accounts, or contacts if the rule names no account, that were stored from then on, or: beginning',
        fromOption,
      ),
      upTo: upTo('refuse if more journeys than this would start'),
      yes,
    },
    ids: templateIds,
    run: async (installation, given) => {
      const { team: team_id, from, upTo: limit } = given;
      const service = serviceOf(installation);
      const { id: templateId, name } = await chosen(service, given);
      requireConsent(
        `"${name}" starts for people who were there before, at most ${quantity(limit, 'journey')}.`,
        given,
      );
      const journeys = await includeExisting(service, team_id, { templateId, from, upTo: limit });
      if (journeys > 0) await wake(installation, walkLane(team_id));
      const text = `${quantity(journeys, 'journey')} will start. ${howFar} --team ${team_id}`;
      return { value: { team_id, template_id: templateId, journeys, up_to: limit }, text };
    },
  }),

  resume: verb({
    does: 'Go on with a campaign that has stopped because it started as many journeys as it may, first for those who wait',
    help: `
Within a day, so many more journeys start, whatever the limit of the day is. Then it stops again if more people wait.`,
    parameters: { team, template, upTo: upTo('journeys that start at most'), yes },
    ids: templateIds,
    run: async (installation, given) => {
      const { team: team_id, upTo: up_to } = given;
      const service = serviceOf(installation);
      const { id: template_id, name } = await chosen(service, given);
      requireConsent(`"${name}" goes on and starts up to ${quantity(up_to, 'journey')} more.`, given);
      await resumeTargeting(service, team_id, template_id, up_to);
      await wake(installation, walkLane(team_id));
      return { value: { team_id, template_id, up_to }, text: `It goes on. ${howFar} --team ${team_id}` };
    },
  }),

  undo: verb({
    does: 'Cancel the journeys that the rule of a muted campaign has started since a time and that nobody has opened',
    help: `
Mute the campaign first. A later form of the rule that holds for such a person opens the journey again, with its URL.`,
    parameters: { team, template, since: required('<time>', 'when the wrong rule went live', timeOption), yes },
    ids: templateIds,
    run: async (installation, given) => {
      const { team: team_id, since } = given;
      const service = serviceOf(installation);
      const { id: template_id, name } = await chosen(service, given);
      const journeys = await journeysToUndo(service, team_id, { templateId: template_id, since });
      const counted = quantity(journeys.length, 'journey');
      requireConsent(`${counted} of "${name}" that nobody has opened are cancelled. Their pages end.`, given);
      const cancelled = await undoJourneys(service, team_id, journeys);
      const text = `${quantity(cancelled, 'journey')} cancelled.`;
      return { value: { team_id, template_id, since, journeys: journeys.length, cancelled }, text };
    },
  }),
};

type Named = { team: string; template: string };

const serviceOf = (installation: Installation) => ({ ...withReaders(installation), onProgress: seldom(say) });

async function chosen({ content }: { content: ContentCache }, given: Named): Promise<{ id: string; name: string }> {
  const { id, name } = oneTemplate((await content.current(given.team)).templates, given.template);
  return { id, name: name ?? id };
}

/** The sweeper replaces a lost wake within a minute. */
const wake = (installation: Installation, lane: Lane): Promise<void> =>
  installation.wake(lane).catch(() => say('The service begins with it within a minute.'));

function fromOption(value: string): string {
  if (value === 'beginning') return '';
  try {
    return timeOption(value);
  } catch {
    throw new InvalidArgumentError('It must be a date, a time in UTC such as 2027-01-31T12:00:00Z, or: beginning.');
  }
}

function statusText({ templates, waiting, walks, too_many_accounts, starts_a_day }: TargetingStatus): string {
  const state = (each: TargetingStatus['templates'][number]) =>
    !each.live
      ? `not live${each.stopped_at === null ? '' : ', stopped by its brake'}`
      : each.stopped_at !== null
        ? `stopped since ${each.stopped_at}`
        : `live since ${each.live_since}`;
  const rules = tableOf(
    templates,
    {
      ...{ CAMPAIGN: (each) => each.name ?? each.template_id, STATE: state, 'STARTED TODAY': 'started_today' },
      ...{ 'LEFT TODAY': 'left_today', 'HELD BACK': 'held_back', ID: 'template_id' },
    },
    'No campaign of the team has targeting groups.',
  );
  const runs = walks.map(({ over, looked, of, started, began_at, begins_at }) => {
    const far =
      began_at === null ? `begins at ${begins_at}` : `${looked}${of === null ? '' : ` of about ${of}`} looked at`;
    return `Run over ${names[over]}: ${far}, ${quantity(started, 'journey')} started`;
  });
  const stopped = templates
    .filter(({ live, stopped_at }) => live && stopped_at !== null)
    .map(({ name, template_id }) => name ?? template_id);
  return [
    rules,
    `${quantity(waiting, 'contact')} ${waiting === 1 ? 'waits' : 'wait'} to be judged. At most ${quantity(starts_a_day, 'journey')} of a campaign start by themselves a day.`,
    ...runs,
    ...(too_many_accounts > 0
      ? [`${quantity(too_many_accounts, 'contact')} with more than 500 accounts: not targeted`]
      : []),
    ...stopped.map(
      (name) =>
        `"${name}" has stopped. If its rule is right: targeting resume. If it is wrong, see docs/runbook.md#targeting_stopped`,
    ),
  ].join('\n');
}
const names = {
  everybody: 'everybody',
  holders: 'the holders of an account',
  existing: 'those who were there before',
  held: 'those whom the limit held back',
} as const;
