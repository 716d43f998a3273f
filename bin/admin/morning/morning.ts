import { together } from '../../../lib/store/table/together.ts';
import { listTeamIds } from '../../../lib/store/teams/teams.ts';
import { withReaders } from '../campaigns/readers.ts';
import { writeTo } from '../document.ts';
import { failureOf } from '../failure.ts';
import { factsOf } from '../operations/morning/facts.ts';
import { dayBefore, morningOf } from '../operations/morning/findings.ts';
import { timeOption } from '../options.ts';
import { anyTeam, optional, verb } from '../verb.ts';
import { byName, shownTeam, textOf } from './morning-text.ts';

/** Teams that are read in parallel. */
const parallelTeams = 8;

export const verbs = verb({
  does: 'Say for every team whether everything arrived, and what needs somebody; exit status 1 if something does',
  help: `
A team has one line, or with more than three facts a line for each. Below stands what needs somebody, each with the
command to type next: an expected file that is missing, failed or not as expected; a file with 5 % rejected rows, half or
twice as many rows as the ten before (if these are five or more, half of them with 100 rows or more), or a notice that
none of them had; failed chunks; batches and messages that have waited for half an hour; batches of which chunks have not
come; webhooks that have failed for an hour or ended; rules that were stopped by their brake; messages that are paused,
bounced (2 % of the last ones) or were reported as spam.

A line about a state ends with what you do: redrive or discard the chunks, resume the rule or the messages, remove the
webhook. A line about what happened (a file, a batch that stopped, a webhook that ended) ends after a day, or with a later
--since. A file that was dropped again under its key is judged by its newest version. A file in a wrong folder is listed for
a day: drop it into the right one, and look with a later --since. Bounces and complaints are counted over the last 1,000
messages, and end a day after the last one.

Messages today are at most so many: consent, addresses and caps are judged when they are sent. "about" marks an estimate,
if something is due of more than 1,000 journeys, and "more than" a part, if of more than 10,000.`,
  parameters: {
    team: anyTeam,
    since: optional('<time>', 'what happened since then: a date or a time in UTC (default: a day ago)', timeOption),
    html: optional('<file>', 'write the same as a page'),
  },
  reads: true,
  run: async (installation, given) => {
    const { database, now, eventEpoch } = installation;
    const since = given.since ?? dayBefore(now());
    const sendsMessages = (await installation.suppression()) !== undefined;
    const files = await installation.dropBox();
    const { content } = withReaders(installation);
    const service = { database, now, files, content, eventEpoch, sendsMessages };
    const because = (error: unknown) => failureOf(error).message;
    const ids = given.team === undefined ? await listTeamIds(database) : [given.team];
    const teams = await together(ids, parallelTeams, async (teamId) =>
      morningOf(teamId, await factsOf(service, teamId, since), now(), because),
    );
    const sorted = teams.toSorted((a, b) => Number(b.needs_attention) - Number(a.needs_attention) || byName(a, b));
    const shown = sorted.map((team) => shownTeam(team, given.stack));
    const isAlarm = teams.some(({ needs_attention }) => needs_attention);
    if (given.html === undefined) return { value: shown, text: textOf(shown), isAlarm };
    const { morningPage } = await import('./morning-page.ts');
    writeTo(given.html, morningPage(shown, { since, until: new Date(now()).toISOString() }));
    return { value: shown, text: `${textOf(shown)}\n\nThe page is in ${given.html}.`, isAlarm };
  },
});
