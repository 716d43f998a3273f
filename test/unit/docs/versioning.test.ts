import { expect, test } from 'vitest';
import { deprecatedFields } from '../../../lib/domain/contacts/contact.ts';
import { deprecationNotice } from '../../../lib/http/deprecation.ts';
import { read } from '../../support/architecture/sources.ts';

test('docs/reference.md names every deprecated field, since when, and what is in its place', () => {
  const rows = [...read('docs/reference.md').matchAll(/^\| `(\w+)` \| ([\d-]+) \| `(\w+)`/gm)];
  const documented = rows.map(([, field, , successor]) => [field, successor]);
  expect(documented.sort()).toEqual(Object.entries(deprecatedFields).sort());
  const since = new Date(Number(deprecationNotice.deprecation.slice(1)) * 1000).toISOString().slice(0, 10);
  expect(rows.map(([, , date]) => date)).toEqual(rows.map(() => since));
});
