import { expect, test } from 'vitest';
import { questionWarnings } from '../../../bin/warnings/blocks.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';

const apply = 'Which colors do you like? Select all that apply.';
test.each<[what: string, question: { [name: string]: JsonValue }, warns: boolean]>([
  ['asks for several and takes one', { text: apply, options: ['Red', 'Green'] }, true],
  ['asks for several and takes several', { text: apply, options: ['Red', 'Green'], multiple: true }, false],
  ['asks for several in a typed text', { text: apply }, false],
  ['asks for one', { text: 'Which color?', options: ['Red', 'Green'] }, false],
])('a question that %s', (_, question, warns) => {
  const message = 'takes one answer only: write `"multiple": true` if several can apply';
  expect(questionWarnings([question], '/questions')).toEqual(warns ? [{ path: '/questions/0', message }] : []);
});
