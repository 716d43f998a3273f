import { expect, test } from 'vitest';
import { openFile } from '../../../lib/files/file.ts';

const opened = (text: string) => openFile([Buffer.from(text)], { kind: 'contacts', name: 'a.csv' });

/** A first line without names has the data of a person, and a report is kept longer than the file. */
test.each([
  [
    'cif-7781,Mrs,Jane,Doe,Doe,j@x.org,1980-01-02\n',
    'The file has no column for unique_id or email. None of its 7 columns has the name of a field: is the header line missing?',
  ],
  [
    'city,j@x.org,1980-01-02,Wohnort\n',
    'The file has no column for unique_id or email. Its header is: city, column 2, column 3, Wohnort.',
  ],
  ['unique_id,j@x.org,j@x.org\n', 'The header names column 2 more than once. Rename or delete the other columns.'],
])('a refused header is quoted as far as it looks like names of fields: %s', async (text, message) => {
  await expect(opened(text)).rejects.toThrow(message);
});

test('a warning about a column that does not look like a name has its number', async () => {
  const { warnings } = await opened('unique_id,j@x.org,Wohnort\nc-1,,x\n');
  expect(warnings.map((warning) => warning.split(' is ')[0])).toEqual(['column 2', 'column Wohnort']);
});
