import { runLaw } from '../command.ts';
import { settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

await runLaw({
  name: 'node test/laws/targeting/run.ts',
  description:
    'Runs clients, an administrator, the publisher and the workers of targeting on a model of the table and its stream, ' +
    'each schedule with its own faults, and checks the guarantees of docs/targeting.md.',
  counted: 'starts',
  simulate: (seed, isTraced) => simulate(settingsOf(seed), isTraced),
  count: ({ starts }) => starts,
});
