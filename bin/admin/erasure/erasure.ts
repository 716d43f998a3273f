import type { ErasureEntry } from '../../../lib/store/erasure/erasure-list.ts';
import { countsText, tableOf } from '../text.ts';
import { anyTeam, flag, noun, requireConsent, verb } from '../verb.ts';

export const verbs = noun('The list of erased persons, for a restore of the table', {
  list: verb({
    does: 'List the erasures, newest first; the list has only ids',
    parameters: { team: anyTeam },
    reads: true,
    run: async (installation, { team }) => {
      const entries = await newestFirst(await installation.erasures());
      const listed = entries
        .filter(({ team_id }) => team === undefined || team_id === team)
        .map(({ erased_at, team_id, contact_id }) => ({ erased_at, team_id, contact_id }));
      const columns = { ERASED: 'erased_at', TEAM: 'team_id', CONTACT: 'contact_id' } as const;
      return { value: listed, text: tableOf(listed, columns, 'The list of erasures is empty.') };
    },
  }),

  apply: verb({
    does: 'Erase all listed persons again, after a restore of the table and before anything else is done',
    parameters: { yes: flag('required at a terminal') },
    run: async (installation, given) => {
      const { eraseAgain } = await import('../operations/erasure/erase-again.ts');
      const { personService } = await import('./person.ts');
      const entries = await newestFirst(await installation.erasures());
      requireConsent(
        `${entries.length} erasures are repeated. What the table has of these persons is deleted permanently.`,
        given,
      );
      const repeated = await eraseAgain(await personService(installation), entries);
      const columns = {
        TEAM: 'team_id',
        CONTACT: 'contact_id',
        'FIRST ERASED': 'first_erased_at',
        DELETED: ({ counts }: (typeof repeated)[number]) => countsText(counts),
      } as const;
      const text = tableOf(repeated, columns, 'The table has nothing of the listed persons.');
      const ids = { contact_ids: repeated.map(({ contact_id }) => contact_id) };
      return { value: { listed: entries.length, repeated }, text, ids };
    },
  }),
});

async function newestFirst(list: { entries(): AsyncIterable<ErasureEntry> }): Promise<ErasureEntry[]> {
  const entries: ErasureEntry[] = [];
  for await (const entry of list.entries()) entries.push(entry);
  return entries.sort((a, b) => (a.erased_at < b.erased_at ? 1 : -1));
}
