import { expect, test } from 'vitest';
import { sourcesOf, withoutComments } from '../../support/architecture/sources.ts';

/** Casts in `lib/store` and `bin/admin/store`, by file. What is read from the table is parsed by `itemReader`, never cast. */
const allowedCasts: Record<string, { count: number; reason: string }> = {
  'lib/store/events/item-changes.ts': { count: 1, reason: 'the images of a record, whose items are parsed' },
  'lib/store/campaigns/content.ts': { count: 1, reason: 'the parts of a revision, whose compression has a checksum' },
  'lib/store/table/errors.ts': { count: 2, reason: 'attributes of AWS errors, which no class of the SDK declares' },
  'lib/store/aws/objects.ts': { count: 2, reason: 'the name of an error, and the body of a response in Node' },
  'lib/store/campaigns/stored-content.ts': { count: 1, reason: 'the content of a team, which only the import writes' },
  'lib/store/access/private-keys.ts': { count: 1, reason: 'the code of an error of the file system' },
};

const castsIn = (text: string): number =>
  withoutComments(text)
    .replace(/^import .*|'[^'\n]*'|`[^`]*`/gm, '')
    .match(/[\w)\]}] as (?!const\b)[\w({[]/g)?.length ?? 0;

test('what is read from the table is parsed and not cast', () => {
  const cast = sourcesOf('lib/store', 'bin/admin/store')
    .map(({ file, text }) => ({ file, count: castsIn(text) }))
    .filter(({ file, count }) => count > (allowedCasts[file]?.count ?? 0));
  expect(cast).toEqual([]);
});

test('the operations neither read nor write the JSON of stored items', () => {
  const readers = sourcesOf('lib/operations', 'bin/admin/operations').filter(({ text }) =>
    /\bJSON\.parse\b|\breadJson\b|\bserialize\w*\(/.test(withoutComments(text)),
  );
  expect(readers.map(({ file }) => file)).toEqual([]);
});
