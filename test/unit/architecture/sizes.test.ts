import { expect, test } from 'vitest';
import { sourcesOf, spreadArguments } from '../../support/architecture/sources.ts';

/** Values whose number the code of this project decides. */
const fewValues = [
  ...['signals', 'codes.map', 'meaning', 'sets'],
  // Nodes of a page, in its own script.
  ...['notice&&typed.length?[notice.content]:[]', 'fresh.body.children'],
];

test('no call has as many arguments as a caller sends values: beyond about 120,000 the stack overflows', () => {
  const found = sourcesOf('lib', 'functions', 'client', 'bin/admin', 'bin/import', 'bin/local').flatMap(
    ({ file, text }) => {
      const isPassedOn = (name: string) => new RegExp(`[(,]\\s*\\.\\.\\.${name}(?::|\\) =>)`).test(text);
      const spreads = spreadArguments(text).filter((each) => !fewValues.includes(each));
      return spreads.filter((each) => !/^\w+$/.test(each) || !isPassedOn(each)).map((each) => `${file} ...${each}`);
    },
  );
  expect(found).toEqual([]);
});
