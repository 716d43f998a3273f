import type { Command } from 'commander';
import type { AuditEntry } from '../../lib/domain/audit.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';
import { auditEntries } from '../../lib/store/audit.ts';
import type { Database } from '../../lib/store/database.ts';
import { globalTeam } from '../../lib/store/keys.ts';
import { listTeamIds } from '../../lib/store/teams.ts';
import { countOption, timeOption } from './options.ts';
import { tableOf } from './text.ts';
import { verb } from './verb.ts';

type Options = {
  since?: string;
  until?: string;
  team?: string;
  what?: string;
  who?: string;
  limit?: number;
  json?: boolean;
};

/** The default limit of the table; with `--json` there is no default. */
const shownEntries = 50;

export function registerAudit(program: Command): void {
  const audit = program.command('audit').description('Who did what: acts of administrators, and tokens');

  verb<Options>(
    audit
      .command('list')
      .description('List the entries of the audit log, newest first')
      .option('--since <time>', 'only entries from this time: a date (its beginning in UTC) or a time', timeOption)
      .option('--until <time>', 'only entries before this time', timeOption)
      .option('--team <team_id>', 'only the entries of this team')
      .option('--what <act>', 'only the entries of this act, such as "client create" or "token refused"')
      .option('--who <who>', 'only the entries of this administrator or client')
      .option(
        '--limit <number>',
        `the maximum number of entries (default: ${shownEntries}, with --json all)`,
        countOption,
      ),
    'reads',
    async ({ database }, options) => {
      const entries = chosen(await entriesOf(database, options), options);
      if (options.json) return { value: entries, text: '' };
      return { value: undefined, text: await tableText(entries) };
    },
  );
}

async function entriesOf(database: Database, { team, since, until }: Options): Promise<AsyncGenerator<AuditEntry>> {
  const owners = team === undefined ? [globalTeam, ...(await listTeamIds(database))] : [team];
  return auditEntries(database, owners, { since, until }, timestamp(Date.now()));
}

async function* chosen(entries: AsyncIterable<AuditEntry>, options: Options): AsyncGenerator<AuditEntry> {
  const { what, who, limit = options.json ? Number.POSITIVE_INFINITY : shownEntries } = options;
  let count = 0;
  for await (const entry of entries) {
    if ((what !== undefined && entry.what !== what) || (who !== undefined && entry.who !== who)) continue;
    yield shown(entry);
    if (++count >= limit) return;
  }
}

/** The fields in the order of the contract. */
const shown = ({ at, who, what, team_id, ids, outcome, count }: AuditEntry): AuditEntry => ({
  at,
  who,
  what,
  team_id,
  ids,
  outcome,
  ...(count === undefined ? {} : { count }),
});

async function tableText(entries: AsyncIterable<AuditEntry>): Promise<string> {
  const rows = [];
  for await (const { at, who, what, team_id, ids, outcome, count } of entries) {
    const times = count === undefined ? '' : ` (${count} times)`;
    const named = Object.entries(ids).map(([name, value]) => `${name}=${[value].flat().join(',')}`);
    rows.push([at, who, what, team_id ?? '', `${outcome}${times}`, named.join(' ')]);
  }
  return tableOf(['AT', 'WHO', 'WHAT', 'TEAM', 'OUTCOME', 'IDS'], rows, 'There are no such entries.');
}
