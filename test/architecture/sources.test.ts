import { describe, expect, test } from 'vitest';
import { cycleIn, type Import, importsOf, type Source } from './sources.ts';

describe('the reader of imports', () => {
  const late = './late.ts';
  const cases: [text: string, expected: Partial<Import>[]][] = [
    ["import a from 'a';", [{ specifier: 'a', typeOnly: false }]],
    ["import type { A } from './b.ts';", [{ file: 'lib/x/b.ts', typeOnly: true }]],
    ["import { type A, type B } from '../c.ts';", [{ file: 'lib/c.ts', typeOnly: true }]],
    ["import { type A, b } from '../c.ts';", [{ file: 'lib/c.ts', typeOnly: false }]],
    ["import d, { e } from 'd';\nimport * as f from 'f';", [{ specifier: 'd' }, { specifier: 'f' }]],
    ["import {\n  g,\n  h,\n} from '@g/h';", [{ specifier: '@g/h' }]],
    ["export { i } from './i.ts';\nexport * from './j.ts';", [{ reExport: true }, { reExport: true }]],
    [`import 'k';\nconst late = await import('${late}');`, [{ specifier: 'k' }, { specifier: late }]],
    ['const text = "import m from \'m\'";\nexport const n = 1;', []],
  ];
  test.each(cases)('sees what %j imports', (text, expected) => {
    expect(importsOf('lib/x/a.ts', text)).toMatchObject(expected);
  });

  test('finds a cycle where there is one', () => {
    const source = (file: string, on: string): Source => ({
      file,
      text: '',
      imports: [{ specifier: on, file: on, typeOnly: false, reExport: false }],
    });
    expect(cycleIn([source('a', 'b'), source('b', 'c'), source('c', 'b')])).toEqual(['b', 'c', 'b']);
  });
});
