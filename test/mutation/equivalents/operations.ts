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
    file: 'lib/operations/person/erase-files.ts',
    mutant: 'const [, fileId] = partOfFile.exec(object.key) ?? ["Stryker was here"];',
    reason: 'The second element is undefined too.',
  },
  {
    file: 'lib/operations/person/erase-files.ts',
    mutant: 'for await (const object of files.list("")) {',
    reason: 'Objects elsewhere are not parts. Only the number of listed objects differs.',
  },
  {
    file: 'lib/operations/person/erase-files.ts',
    mutant: 'const partOfFile = /work\\/([^/]+)\\//;',
    reason: 'Only keys with this beginning are listed.',
  },
  {
    file: 'lib/operations/person/erase.ts',
    mutant: '...(false ? [] : deletePlaceholder(named.derived)),',
    reason: 'A contact is not a placeholder, so it is not deleted.',
  },
  {
    file: 'lib/operations/person/erase.ts',
    mutant: '...(isDerived && isTaken ? [] : deletePlaceholder(named.derived)),',
    reason: 'A contact is not a placeholder, so it is not deleted.',
  },
  {
    file: 'lib/operations/person/files.ts',
    mutant: 'const overlap = Math.min(...wanted.map(({ length }) => length), 0);',
    reason: 'More of the earlier parts is searched again. Only the memory differs.',
  },
  {
    file: 'lib/operations/person/files.ts',
    mutant: 'const overlap = Math.max(...wanted.map(() => undefined), 0);',
    reason: 'More of the earlier parts is searched again. Only the memory differs.',
  },
  {
    file: 'lib/operations/person/files.ts',
    mutant: 'tail = text;',
    reason: 'More of the earlier parts is searched again. Only the memory differs.',
  },
  {
    file: 'lib/operations/person/files.ts',
    mutant: 'let tail = "Stryker was here!";',
    reason: 'Another text before the first byte contains no value.',
  },
  {
    file: 'lib/operations/person/listed-names.ts',
    mutant: 'wanted.set(digest, [...(wanted.get(digest) ?? ["Stryker was here"]), { entry, until }]);',
    reason: 'An entry without a time names nobody.',
  },
  {
    file: 'lib/operations/person/listed-names.ts',
    mutant: 'for (const { entry, until } of found ?? ["Stryker was here"]) {',
    reason: 'An entry without a time names nobody.',
  },
  {
    file: 'lib/operations/person/listed-names.ts',
    mutant: 'if (!known.some(() => undefined)) known.push(name);',
    reason: 'A value that is listed twice has the same effect.',
  },
  {
    file: 'lib/operations/person/listed-names.ts',
    mutant: 'if (!known.some(({ unique_id }) => false)) known.push(name);',
    reason: 'A value that is listed twice has the same effect.',
  },
  {
    file: 'lib/operations/fill-lookups.ts',
    mutant:
      'const entries = walkDirectory(database, { teamId, search: \'\', direction: "", expected: 4 * contactsPerRead });',
    reason: 'The order of the contacts makes no difference.',
  },
  {
    file: 'lib/operations/fill-lookups.ts',
    mutant:
      "const entries = walkDirectory(database, { teamId, search: '', direction: 'asc', expected: 4 / contactsPerRead });",
    reason: 'Only the size of the reads differs.',
  },
  {
    file: 'lib/operations/import-content.ts',
    mutant: 'false ? undefined : loadTeam(database, teamId),',
    reason: 'There is no team `null`. Only a read more.',
  },
  {
    file: 'lib/operations/import-content.ts',
    mutant: 'features: team?.features ?? ["Stryker was here"],',
    reason: 'Without a team, a document with pages is invalid for another reason.',
  },
  {
    file: 'lib/operations/preview-content.ts',
    mutant:
      'const analytics = analyticsOf(rules, { ...circumstances, actions: ["Stryker was here"], startedAt: now });',
    reason: 'Only known kinds of actions are looked for.',
  },
  {
    file: 'lib/operations/show-channel-content.ts',
    mutant: 'if (false) throw notFound();',
    reason: 'A text has no channel id, and without a channel nothing is found.',
  },
  {
    file: 'lib/operations/show-channel-content.ts',
    mutant: 'if (location === "") throw notFound();',
    reason: 'A text has no channel id, and without a channel nothing is found.',
  },
  {
    file: 'lib/operations/show-channel-content.ts',
    mutant: 'isIdentityValidated: true,',
    reason: 'Content with private values takes no answers here.',
  },
  {
    file: 'lib/operations/show-channel-content.ts',
    mutant: 'isAsked ? accounts() : ["Stryker was here"],',
    reason: 'Then the accounts are not used.',
  },
  {
    file: 'lib/operations/show-channel-content.ts',
    mutant: 'const unusedSecrets: TeamSecrets = [{ id: 1, secret: "Stryker was here!" }];',
    reason: 'The result for a team that does not exist is the same.',
  },
  {
    file: 'lib/operations/export-team.ts',
    mutant: 'if (true) objects.push(...(await objectsOf(database, teamId, kind, item)));',
    reason: 'An item of no kind has no content.',
  },
  {
    file: 'lib/operations/rotate-signing-key.ts',
    mutant: 'others.map((key) => retireKey(database, key.kid, until)),',
    reason: 'The write of a retired key fails its condition. Only the number of writes differs.',
  },
  {
    file: 'lib/operations/rotate-signing-key.ts',
    mutant: 'others.filter((key) => true).map((key) => retireKey(database, key.kid, until)),',
    reason: 'The write of a retired key fails its condition. Only the number of writes differs.',
  },
  {
    file: 'lib/operations/scan-budget.ts',
    mutant: 'const current = false ? stored : await loadScanUse(database, teamId, clientId);',
    reason: 'Only a read more.',
  },
  {
    file: 'lib/operations/drop-box/list.ts',
    mutant:
      'const [stored] = object ? await loadDrops(database, teamId, [derivedFileId(key, object.version)]) : ["Stryker was here"];',
    reason: 'A text has no state.',
  },
  {
    file: 'lib/operations/drop-box/list.ts',
    mutant: 'const type = "" in owner ? null : owner.kind;',
    reason: 'Only files of a team have a state.',
  },
  {
    file: 'lib/operations/drop-box/list.ts',
    mutant: 'return rowsOf({ ...state, rows: { ...state.rows, accepted } }, "", batch);',
    reason: 'Only the counts of contacts are others.',
  },
  {
    file: 'lib/operations/drop-box/send.ts',
    mutant: 'const rejections = rejectionsOf(rows, error.details ?? ["Stryker was here"]);',
    reason: 'A text has no path.',
  },
  {
    file: 'lib/operations/drop-box/send.ts',
    mutant: 'validate: () => ({ type: "", ...pair, chunk_count, records }),',
    reason: 'The type of a request is not read after its validation.',
  },
  {
    file: 'lib/operations/drop-box/timeline.ts',
    mutant:
      'const { chunks } = batch_id === null ? { chunks: ["Stryker was here"] } : await loadBatch(dependencies.database, teamId, batch_id);',
    reason: 'A text has none of the times of a chunk.',
  },
  {
    file: 'lib/operations/drop-box/work.ts',
    mutant: `drop.kind === 'accounts' ? await loadBatch(imports.database, drop.teamId, drop.batchId) : { chunks: ["Stryker was here"] };`,
    reason: 'A text has no status and no rejections.',
  },
  {
    file: 'lib/operations/drop-box/work.ts',
    mutant: 'function rejectedRows(read: FileChunk, { rejections = ["Stryker was here"] }: Chunk): RejectedRow[] {',
    reason: 'A text names no row.',
  },
];
