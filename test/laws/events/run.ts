import { runLaw } from '../command.ts';
import { settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

await runLaw({
  name: 'node test/laws/events/run.ts',
  description:
    'Runs writers, the publisher, readers of the feed and a webhook on a model of the table and its stream, each ' +
    'schedule with its own faults, and checks the guarantees of docs/events.md.',
  counted: 'facts',
  simulate: (seed, isTraced) => simulate(settingsOf(seed), isTraced),
  count: ({ facts }) => facts,
});
