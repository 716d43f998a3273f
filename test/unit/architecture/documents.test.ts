import { describe, expect, test } from 'vitest';
import { problems } from '../../../lib/http/errors.ts';
import * as keys from '../../../lib/store/table/keys.ts';
import { read } from '../../support/architecture/sources.ts';
import { storedKeys } from '../../support/stored-keys.ts';

/** The rows of the first table under the heading, as cells without their code marks. */
function tableUnder(file: string, heading: string): string[][] {
  const [, section] = read(file).split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [table = ''] = section?.match(/(?:^\|.*\|\n)+/m) ?? [];
  const rows = table.split('\n').slice(2, -1);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('docs/reference.md', () => {
  test('lists exactly the errors that the service knows, each with its status', () => {
    const documented = tableUnder('docs/reference.md', 'Every error').map(([status, code]) => [Number(status), code]);
    const known = Object.entries(problems).map(([code, { status }]) => [status, code]);
    expect(documented.sort()).toEqual(known.sort());
  });
});

describe('docs/security.md', () => {
  test('names exactly the packages that functions and commands need', () => {
    const { dependencies } = JSON.parse(read('package.json'));
    const documented = ['Deployed', 'Commands'].flatMap((heading) =>
      tableUnder('docs/security.md', heading).map(([name]) => name),
    );
    expect(documented.sort()).toEqual(Object.keys(dependencies).sort());
  });
});

describe('docs/data-model.md', () => {
  const samples = Map.groupBy(storedKeys, ([madeBy]) => madeBy);
  /** These make no kind of their own: the key of a chunk by its name, and those of the index. */
  const ofOthers = [
    ...['partsOfJourneyKey', 'claimKey', 'isBatchKey', 'isLinkKey', 'isHolderKey', 'batchListKey', 'batchIdOfListKey'],
    ...['directoryKey', 'contactIdOfDirectoryKey', 'insertedAtOfDirectoryKey', 'dropListKey', 'fileIdOfDropListKey'],
    ...['journeyListKey', 'responseListKey', 'timeOfListKey', 'journeyIdOfResponseKey'],
  ];
  const documented = tableUnder('docs/data-model.md', 'Items').map(([, pk, sk, madeBy]) => ({ pk, sk, madeBy }));
  /** `T#<team>#C#<contact>` as a pattern: every `<name>` stands for something without `#`. */
  const shape = (template: string) => new RegExp(`^${template.replaceAll(/<[^>]+>/g, '[^#]+')}$`);

  test('lists every kind of key that the store makes, and no other', () => {
    const made = Object.keys(keys).filter((name) => name.endsWith('Key') && !ofOthers.includes(name));
    expect([...samples.keys()].sort()).toEqual(made.sort());
    expect([...new Set(documented.map(({ madeBy }) => madeBy))].sort()).toEqual(made.sort());
  });

  test.each([...samples])('shows %s as it is made', (name, made) => {
    const rows = documented.filter(({ madeBy }) => madeBy === name);
    expect(rows).toHaveLength(made.length);
    for (const [at, { pk, sk }] of rows.entries()) {
      const [, key] = made[at]!;
      expect(key.pk).toMatch(shape(pk!));
      expect(key.sk).toMatch(shape(sk!));
    }
  });
});
