import { expect, test } from 'vitest';
import { sourcesOf } from './sources.ts';

const maxLines = 300;

test(`no file of the tests has more than ${maxLines} lines`, () => {
  const tooLong = sourcesOf('test').filter(({ text }) => text.trimEnd().split('\n').length > maxLines);
  // Split by behavior: shared set-up goes to test/support.
  expect(tooLong.map(({ file }) => file)).toEqual([]);
});
