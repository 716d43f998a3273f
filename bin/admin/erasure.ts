import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { requireConsent } from './consent.ts';
import { eraseAgain, type RepeatedErasure } from './operations/person/erase-again.ts';
import { dependenciesOf } from './person.ts';
import type { ErasureEntry, ErasureList } from './store/erasure-list.ts';
import { tableOf } from './text.ts';
import { noIds, verb } from './verb.ts';

/** Verbs on the list of erasures, which is outside of the table. */
export function registerErasure(program: Command): void {
  const erasure = program.command('erasure').description('The list of erased persons, for a restore of the table');

  verb<{ team?: string }>(
    erasure
      .command('list')
      .description('List the erasures, newest first; the list has only ids')
      .option('--team <team_id>', 'only those of this team'),
    'reads',
    async (installation, { team }) => {
      const entries = await newestFirst(installation.erasures());
      const listed = entries.filter(({ team_id }) => team === undefined || team_id === team).map(shown);
      const rows = listed.map(({ erased_at, team_id, contact_id }) => [erased_at, team_id, contact_id]);
      return { value: listed, text: tableOf(['ERASED', 'TEAM', 'CONTACT'], rows, 'The list of erasures is empty.') };
    },
  );

  verb<{ yes?: boolean }>(
    erasure
      .command('apply')
      .description('Erase all listed persons again, after a restore of the table and before anything else is done')
      .option('--yes', 'required at a terminal'),
    noIds,
    async (installation, { yes }) => {
      const entries = await newestFirst(installation.erasures());
      const consequence = `${entries.length} erasures are repeated. What the table has of these persons is deleted permanently.`;
      requireConsent(consequence, { yes });
      const repeated = await eraseAgain({ ...dependenciesOf(installation), wait: sleep }, entries);
      const text = tableOf(headings, repeated.map(rowOf), 'The table has nothing of the listed persons.');
      const ids = { contact_ids: repeated.map(({ contact_id }) => contact_id) };
      return { value: { listed: entries.length, repeated }, text, ids };
    },
  );
}

const headings = ['TEAM', 'CONTACT', 'FIRST ERASED', 'DELETED'];

const rowOf = ({ team_id, contact_id, first_erased_at, counts }: RepeatedErasure): string[] => [
  team_id,
  contact_id,
  first_erased_at,
  Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`)
    .join(', '),
];

const shown = ({ erased_at, team_id, contact_id }: ErasureEntry) => ({ erased_at, team_id, contact_id });

async function newestFirst(list: ErasureList): Promise<ErasureEntry[]> {
  const entries: ErasureEntry[] = [];
  for await (const entry of list.entries()) entries.push(entry);
  return entries.sort((a, b) => (a.erased_at < b.erased_at ? 1 : -1));
}
