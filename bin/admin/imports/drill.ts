import { failure } from '../failure.ts';
import { watchCommand } from '../text.ts';
import { noun, team, verb } from '../verb.ts';

const onlyLocal = 'damages stored data';

export const verbs = noun('Failures on purpose, to practise docs/runbook.md; only in the local service', {
  'poison-chunk': verb({
    does: 'Make a chunk fail: it is failed after five attempts, in about half a minute',
    parameters: { team },
    onlyLocal,
    run: async (installation, { team: team_id, runId }) => {
      const { poisonChunk } = await import('../operations/imports/drill.ts');
      const batch_id = `drill-${runId}`;
      if (!(await poisonChunk(await installation.imports(), team_id, batch_id)))
        throw failure('conflict', 'A drill is running for this team. End it with drill cure first.');
      const text = [
        `The chunk of batch ${batch_id} cannot be applied. To watch: ${watchCommand(batch_id, team_id)}`,
        'When it is failed, continue with docs/runbook.md#chunks_failed. The cause is a stored link that cannot be read;',
        'drill cure removes it.',
      ].join('\n');
      return { value: { team_id, batch_id }, text, ids: { batch_id } };
    },
  }),

  cure: verb({
    does: 'Remove the cause of the failure: a redrive of the failed chunk then succeeds',
    parameters: { team },
    onlyLocal,
    run: async ({ database }, { team: team_id }) => {
      const { cureChunk } = await import('../operations/imports/drill.ts');
      if (!(await cureChunk(database, team_id))) throw failure('not_found', 'There is no drill to end for this team.');
      const text = [
        'The cause is removed, and the drill is ended. A chunk that is failed needs a redrive: npm run admin -- failed list,',
        'then failed redrive. One that is not failed yet is applied at its next attempt.',
      ].join('\n');
      return { value: { team_id }, text };
    },
  }),
});
