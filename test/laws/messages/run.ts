import { runLaw } from '../command.ts';
import { settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

await runLaw({
  name: 'node test/laws/messages/run.ts',
  description:
    'Runs clients, people who leave and come back, erasures, an administrator, the workers of messages and their ' +
    'provider on a model of the table, each schedule with its own faults, and checks the guarantees of docs/messages.md.',
  counted: 'messages',
  simulate: (seed, isTraced) => simulate(settingsOf(seed), isTraced),
  count: ({ sent }) => sent,
});
