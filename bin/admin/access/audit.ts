import type { AuditEntry } from '../../../lib/domain/access/audit.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { auditEntries } from '../../../lib/store/access/audit.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { listTeamIds } from '../../../lib/store/teams/teams.ts';
import { countOption, timeOption } from '../options.ts';
import { tableOf } from '../text.ts';
import { anyTeam, noun, optional, verb } from '../verb.ts';

/** The default limit of the table; with `--json` there is no default. */
const shownEntries = 50;

export const verbs = noun('Who did what: acts of administrators, and tokens', {
  list: verb({
    does: 'List the entries of the audit log, newest first',
    parameters: {
      since: optional('<time>', 'only entries from this time: a date (its beginning in UTC) or a time', timeOption),
      until: optional('<time>', 'only entries before this time', timeOption),
      team: anyTeam,
      what: optional('<act>', 'only the entries of this act, such as "client create" or "token refused"'),
      who: optional('<who>', 'only the entries of this administrator or client'),
      limit: optional(
        '<number>',
        `the maximum number of entries (default: ${shownEntries}, with --json all)`,
        countOption,
      ),
    },
    reads: true,
    run: async ({ database }, { team, since, until, json, ...filter }) => {
      const owners = team === undefined ? [globalTeam, ...(await listTeamIds(database))] : [team];
      const all = auditEntries(database, owners, { since, until }, timestamp(Date.now()));
      const { limit = json ? Number.POSITIVE_INFINITY : shownEntries } = filter;
      const entries = chosen(all, { ...filter, limit });
      if (json) return { value: entries };
      const rows: AuditEntry[] = [];
      for await (const entry of entries) rows.push(entry);
      return { value: undefined, text: tableOf(rows, columns, 'There are no such entries.') };
    },
  }),
});

type Filter = { what: string | undefined; who: string | undefined; limit: number };

async function* chosen(entries: AsyncIterable<AuditEntry>, { what, who, limit }: Filter): AsyncGenerator<AuditEntry> {
  let count = 0;
  for await (const entry of entries) {
    if ((what !== undefined && entry.what !== what) || (who !== undefined && entry.who !== who)) continue;
    yield shown(entry);
    if (++count >= limit) return;
  }
}

/** The fields in the order of the contract. */
const shown = ({ at, who, what, team_id, ids, outcome, count }: AuditEntry): AuditEntry => {
  return { at, who, what, team_id, ids, outcome, ...(count === undefined ? {} : { count }) };
};

const columns = {
  AT: 'at',
  WHO: 'who',
  WHAT: 'what',
  TEAM: 'team_id',
  OUTCOME: ({ outcome, count }: AuditEntry) => `${outcome}${count === undefined ? '' : ` (${count} times)`}`,
  IDS: ({ ids }: AuditEntry) =>
    Object.entries(ids)
      .map(([name, value]) => `${name}=${[value].flat().join(',')}`)
      .join(' '),
} as const;
