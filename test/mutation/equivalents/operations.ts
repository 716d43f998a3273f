import type { Equivalent } from '../equivalent.ts';

export const inOperations: readonly Equivalent[] = [
  {
    file: 'lib/operations/imports/accept.ts',
    mutant: 'if (false || batch?.chunk_count === undefined || batch.chunk_count === chunk_count) return;',
    reason: 'The batch is read only if the request has a `chunk_count`.',
  },
  {
    file: 'lib/operations/imports/accept.ts',
    mutant: '...(false ? {} : { digest }),',
    reason: 'Attributes that are undefined are not stored.',
  },
  {
    file: 'lib/operations/imports/apply.ts',
    mutant: 'if (true) targets.set(name, target);',
    reason: 'The same target is set again.',
  },
  {
    file: 'lib/operations/imports/apply.ts',
    mutant: 'const parts = Array.from({ length: records }, (): RecordOutcome[] => ["Stryker was here"]);',
    reason: 'Only known outcomes are looked for.',
  },
  {
    file: 'lib/operations/imports/read-ahead.ts',
    mutant: 'for (let next = position + 1; next <= position + this.#ahead && true; next++) {',
    reason: 'Nobody takes a chunk after the last, and its error is caught.',
  },
  {
    file: 'lib/operations/imports/read-ahead.ts',
    mutant: 'for (let next = position + 1; next <= position + this.#ahead && next <= this.#chunks.length; next++) {',
    reason: 'Nobody takes a chunk after the last, and its error is caught.',
  },
  {
    file: 'lib/operations/imports/read-ahead.ts',
    mutant: 'for (let before = Math.min(position - this.#ahead, 0); before < position; before++) {',
    reason: 'Earlier chunks are no longer kept.',
  },
  {
    file: 'lib/operations/imports/read-ahead.ts',
    mutant: 'for (const { name } of earlier.targets.all ?? []) names.add(name);',
    reason: 'After a chunk that cannot be read, the list is read again.',
  },
  {
    file: 'lib/operations/imports/read-ahead.ts',
    mutant: 'for (const { name } of earlier?.targets.all ?? ["Stryker was here"]) names.add(name);',
    reason: 'A text has no name.',
  },
  {
    file: 'lib/operations/imports/drill.ts',
    mutant: 'validate: () => ({ type: "", ...pair, chunk_count: 1, records: [accountRecord.parse(record)] }),',
    reason: 'The type of a request is not read after its validation.',
  },
  {
    file: 'lib/operations/journeys/progress.ts',
    mutant: 'const features = content.team?.features ?? ["Stryker was here"];',
    reason: 'Only known features are looked for.',
  },
  {
    file: 'lib/operations/contacts/references.ts',
    mutant: 'const nothing: References = { objectives: ["Stryker was here"], templates: new Map() };',
    reason: 'Then the record has no field that can name an objective.',
  },
  {
    file: 'lib/operations/contacts/list.ts',
    mutant: 'const isComplete = false;',
    reason: 'It only saves a second comparison of each row.',
  },
  {
    file: 'lib/operations/journeys/show.ts',
    mutant: 'given.length === 0 ? ["Stryker was here"] : loadResponsesTo(database, team.team_id, journey, given),',
    reason: 'Without answers, no response is looked for.',
  },
];
