import { describe, expect, test } from 'vitest';
import { problems } from '../../../lib/http/errors.ts';
import { itemKinds } from '../../../lib/store/table/item-kinds.ts';
import { read } from '../../support/architecture/sources.ts';
import { storedKeys } from '../../support/engine/stored-keys.ts';

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
  const documented = tableUnder('docs/data-model.md', 'Items').map(([, pk, sk, kind, contents]) => {
    return [kind!, { pk, sk, expires: contents!.includes('expires_at') }] as const;
  });

  test('lists every kind of item with its key, and whether it expires', () => {
    const declared = Object.entries(itemKinds).map(([name, { pk, sk, expires }]) => [name, { pk, sk, expires }]);
    expect(documented).toHaveLength(declared.length);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(declared));
  });

  test('lists what the store makes a key of, and the store makes no other', () => {
    expect(storedKeys.map(([kind]) => kind).sort()).toEqual(Object.keys(itemKinds).sort());
  });
});
