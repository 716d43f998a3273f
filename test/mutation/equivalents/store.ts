import type { Equivalent } from '../equivalent.ts';

export const inStore: readonly Equivalent[] = [
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'const next = response.LastEvaluatedKey?.[sortKey].S;',
    reason: 'A key has its sort key.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'if (error instanceof Error && isLost(error.name)) return "";',
    reason: 'Only `written` and objects are compared.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant: 'if (isLost(code)) return "";',
    reason: 'Only `written` and objects are compared.',
  },
  {
    file: 'lib/store/dynamodb.ts',
    mutant:
      'const units = (consumed ?? ["Stryker was here"]).reduce((sum, each) => sum + (each.CapacityUnits ?? 0), 0);',
    reason: 'A text has no units.',
  },
  {
    file: 'lib/store/contacts.ts',
    mutant: 'const completions = Object.entries(details.completions).sort(([a], [b]) => (a <= b ? -1 : 1));',
    reason: 'No objective occurs twice.',
  },
  {
    file: 'lib/store/contacts.ts',
    mutant: 'const text = false ? undefined : lookupText(contact, parsed);',
    reason: 'A contact has no field without a name.',
  },
  {
    file: 'lib/store/contacts.ts',
    mutant: 'const text = typeof parsed === "" ? undefined : lookupText(contact, parsed);',
    reason: 'A contact has no field without a name.',
  },
  {
    file: 'lib/store/journeys.ts',
    mutant: 'return left <= right ? -1 : 1;',
    reason: 'No two journeys have the same id.',
  },
  {
    file: 'lib/store/directory.ts',
    mutant:
      'const start = walk.after ? { after: directoryPositionOf(walk.after.value ?? "Stryker was here!", walk.after.id) } : {};',
    reason: 'Every contact has the time of its creation.',
  },
  {
    file: 'lib/store/directory.ts',
    mutant: 'const end = walk.after ? { to: directoryEndOf(walk.after.value ?? "Stryker was here!") } : {};',
    reason: 'Every contact has the time of its creation.',
  },
  {
    file: 'lib/store/directory.ts',
    mutant: 'const { items, next } = await database.query({ ...query, ...(false ? {} : { after }), limit });',
    reason: 'An attribute that is undefined is absent.',
  },
  {
    file: 'lib/store/directory.ts',
    mutant: 'const order = inOrder("");',
    reason: 'Every order but `asc` is descending.',
  },
  {
    file: 'lib/store/directory.ts',
    mutant: `if (time === undefined || false || walk.search !== '') continue;`,
    reason: 'The held entries are read again. Only the reads differ.',
  },
  {
    file: 'lib/store/directory.ts',
    mutant: 'if (time === undefined || complete.length > 0 || false) continue;',
    reason: 'The held entries are read again. Only the reads differ.',
  },
  {
    file: 'lib/store/directory.ts',
    mutant: 'return best && order(best.head!, shard.head!) < 0 ? best : shard;',
    reason: 'No contact is in two shards.',
  },
  {
    file: 'lib/store/import-work.ts',
    mutant: `...(oldList ? [{ kind: 'delete' as const, key: chunkListKey(team_id, oldList, order), expect: {} }] : ["Stryker was here"]),`,
    reason: 'Only open and failed chunks have a transition.',
  },
  {
    file: 'lib/store/import-work.ts',
    mutant: `return claims.flatMap((item) => (item ? [chunkOf(item)] : ["Stryker was here"])).filter(({ status }) => status === 'failed');`,
    reason: 'A text has no status.',
  },
  {
    file: 'lib/store/keys.ts',
    mutant: `const [templateId = "Stryker was here!", kind, pageId, id] = sk.slice(journeyPrefix.length).split('#');`,
    reason: 'Every text has a first part.',
  },
  {
    file: 'lib/store/keys.ts',
    mutant: 'if (false || pageId === undefined) return { templateId };',
    reason: 'A key with a page has a kind.',
  },
  {
    file: 'lib/store/audit.ts',
    mutant: 'const after = until !== undefined && true ? { after: until } : {};',
    reason: 'The months are not later than that of `until`.',
  },
  {
    file: 'lib/store/audit.ts',
    mutant: 'const after = true ? { after: until } : {};',
    reason: 'The months are not later than that of `until`.',
  },
  {
    file: 'lib/store/audit.ts',
    mutant: 'if (!head.done && (newest < 0 || head.value.at >= heads[newest]!.value.at)) newest = index;',
    reason: 'Entries with the same time have no order.',
  },
  {
    file: 'lib/store/claims.ts',
    mutant: 'return items.length > limit && true ? { ids, next: last } : { ids };',
    reason: 'A page has at least one batch.',
  },
  {
    file: 'lib/store/claims.ts',
    mutant: '...(false ? {} : { after }),',
    reason: 'An attribute that is undefined is absent.',
  },
  {
    file: 'lib/store/database.ts',
    mutant: 'const page = await database.query(false ? input : { ...input, after });',
    reason: 'An attribute that is undefined is absent.',
  },
  {
    file: 'lib/store/erasure-list.ts',
    mutant: 'for (let at = 0; at <= keys.length; at += atOnce) {',
    reason: 'No keys are read.',
  },
  {
    file: 'lib/store/erasure-list.ts',
    mutant:
      'return { keys: (page.Contents ?? ["Stryker was here"]).flatMap(({ Key }) => Key ?? []), after: page.NextContinuationToken };',
    reason: 'A text has no key.',
  },
  {
    file: 'lib/store/erasure-list.ts',
    mutant: 'return entryOfText((await Body?.transformToString()) ?? "Stryker was here!");',
    reason: 'Neither text is an entry.',
  },
  {
    file: 'lib/store/expected-files.ts',
    mutant: `database.transact([{ kind: 'delete', key: expectedFileKey(expected), expect: {} }]);`,
    reason: 'Only an item that exists is changed or deleted.',
  },
  {
    file: 'lib/store/expected-files.ts',
    mutant: 'if (true && last_arrival_at >= at) continue;',
    reason: '`null` is not greater than a text.',
  },
  {
    file: 'lib/store/lookups.ts',
    mutant: '...(false ? {} : { after }),',
    reason: 'An attribute that is undefined is absent.',
  },
  {
    file: 'lib/store/lookups.ts',
    mutant: 'return { ids: items.map(({ pk }) => contactIdOfPartition(pk)), ...(false ? {} : { next }) };',
    reason: 'An attribute that is undefined is absent.',
  },
  {
    file: 'lib/store/parts.ts',
    line: 'text.length <= syncLimit.text ? gzipSync(text, options) : compressAsync(text, options);',
    reason: 'Both ways give the same bytes. Only the time differs.',
  },
  {
    file: 'lib/store/parts.ts',
    line: 'bytes.byteLength <= syncLimit.compressed ? gunzipSync(bytes) : expandAsync(bytes);',
    reason: 'Both ways give the same bytes. Only the time differs.',
  },
  {
    file: 'lib/store/parts.ts',
    line: 'const syncLimit = { text: 32 * 1024, compressed: 8 * 1024 };',
    reason: 'Both ways give the same bytes. Only the time differs.',
  },
  {
    file: 'lib/store/person-items.ts',
    mutant: 'return true && at < since;',
    reason: '`undefined` is not less than a text.',
  },
  {
    file: 'lib/store/person-items.ts',
    mutant: 'const order = true ? datedItem(item).order : undefined;',
    reason: 'Only links have an order.',
  },
  {
    file: 'lib/store/person-items.ts',
    mutant: `const removal: Write = { kind: 'delete', key: { pk, sk }, expect: false ? {} : { order } };`,
    reason: 'Only links have an order.',
  },
  {
    file: 'lib/store/products.ts',
    mutant: `{ kind: 'update', key, set, expect: {} },`,
    reason: 'Only an item that exists is changed or deleted.',
  },
  {
    file: 'lib/store/s3-drop-box-files.ts',
    mutant: 'for (const { Key, VersionId, LastModified } of page.Versions ?? ["Stryker was here"]) {',
    reason: 'A text has no key.',
  },
  {
    file: 'lib/store/team-files.ts',
    mutant: `database.transact([{ kind: 'delete', key: teamFileKey(teamId, fileId), expect: {} }]);`,
    reason: 'Only an item that exists is changed or deleted.',
  },
  {
    file: 'lib/store/objects.ts',
    mutant: 'for (let at = 0; at <= parts.length; at += parallelParts) {',
    reason: 'No parts are read.',
  },
  {
    file: 'lib/store/renames.ts',
    mutant: 'writeOfContact(teamId, renamed, from.stored, ["Stryker was here"]),',
    reason: 'A text is a lookup of no field.',
  },
  {
    file: 'lib/store/private-keys.ts',
    mutant: 'return keyIn(response.SecretString ?? "Stryker was here!");',
    reason: 'Neither text is a key.',
  },
  {
    file: 'lib/store/private-keys.ts',
    mutant: `const current = Object.keys(versions).find((id) => versions[id].includes('AWSCURRENT'));`,
    reason: 'The id is one of the versions.',
  },
  {
    file: 'lib/store/private-keys.ts',
    mutant: 'await writeFile(temporary, text, { mode: 0o600, flag: "" });',
    reason: 'The name is new.',
  },
  {
    file: 'lib/store/private-keys.ts',
    mutant: 'return fileSchema.parse(JSON.parse(await readFile(this.#path, "")));',
    reason: 'Bytes are read as UTF-8.',
  },
];
