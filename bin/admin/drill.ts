import type { Command } from 'commander';
import { newId } from '../../lib/runtime/base.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { ProductRegistry } from '../../lib/store/products.ts';
import { failure } from './failure.ts';
import { cureChunk, poisonChunk } from './operations/imports/drill.ts';
import { watchCommand } from './text.ts';
import { noIds, verb } from './verb.ts';

export function registerDrill(program: Command): void {
  const drill = program
    .command('drill')
    .description('Failures on purpose, to practise docs/runbook.md; only in the local service')
    .hook('preAction', (_, command) => refuseStack(command));

  verb<{ team: string }>(
    drill
      .command('poison-chunk')
      .description('Make a chunk fail: it is failed after five attempts, in about half a minute')
      .requiredOption('--team <team_id>', 'the team whose chunk fails'),
    noIds,
    async ({ database, importQueue }, { team }) => {
      // If the wake is lost, the sweeper wakes the team within two minutes.
      const dependencies = { ...dependenciesOn(database), queue: importQueue(), onLostWake: () => {} };
      const batch_id = `drill-${newId()}`;
      const products = new ProductRegistry(database);
      if (!(await poisonChunk({ ...dependencies, products }, team, batch_id)))
        throw failure('conflict', 'A drill is running for this team. End it with drill cure first.');
      const text = [
        `The chunk of batch ${batch_id} cannot be applied. To watch: ${watchCommand(batch_id, team)}`,
        'When it is failed, continue with docs/runbook.md#chunks_failed. The cause is a stored account that cannot be read;',
        'drill cure removes it.',
      ].join('\n');
      return { value: { team_id: team, batch_id }, text, ids: { batch_id } };
    },
  );

  verb<{ team: string }>(
    drill
      .command('cure')
      .description('Remove the cause of the failure: a redrive of the failed chunk then succeeds')
      .requiredOption('--team <team_id>', 'the team of the drill'),
    noIds,
    async ({ database }, { team }) => {
      if (!(await cureChunk(database, team))) throw failure('not_found', 'There is no drill to end for this team.');
      const text = 'The cause is removed. Redrive the failed chunk: npm run admin -- failed list, then failed redrive.';
      return { value: { team_id: team }, text };
    },
  );
}

function refuseStack(command: Command): void {
  if (command.opts().stack === undefined) return;
  throw failure(
    'local_only',
    `drill ${command.name()} works only on the local service, because it damages stored data.`,
  );
}
