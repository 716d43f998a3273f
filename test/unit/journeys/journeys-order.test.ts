import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import {
  act,
  database,
  documentOf,
  earlier,
  ids,
  imported,
  journeysOf,
  named,
  open,
  post,
  team,
} from '../../support/operations/journey-operations.ts';

beforeEach(open);

describe('the order law', () => {
  const contact = { unique_id: 'p' };
  const account = (account_number: string, product: object) => ({ account_number, product });
  const steps: Record<string, () => Promise<unknown>> = {
    'the contact': () => post({ unique_id: 'p', city: 'Tabor' }),
    'the objective': () => post({ unique_id: 'p', enrolled: '2026-01-01' }),
    'the journey': () => post({ unique_id: 'p', ...named }),
    'savings account': () => imported(account('1', { code: 'SAV', type: 'savings' })),
    'savings link': () => imported({ account_number: '1', contact }),
    'deposit account': () => imported({ ...account('2', { code: 'CD', type: 'investment' }), contact }),
    'car loan': () => imported(account('3', { code: 'CAR', type: 'loan', standardized_type: 'auto_loan' })),
    'car loan link': () => imported({ account_number: '3', contact: { unique_id: 'p', role: 'joint' } }),
    'the template': () => putContent(database, team, documentOf()),
  };
  const names = Object.keys(steps);

  test('in whatever order journey, account, link, contact and template come, the completions are the same', async () => {
    const orders = fc.shuffledSubarray(names, { minLength: names.length });
    await fc.assert(
      fc.asyncProperty(orders, async (sequence) => {
        await open();
        // Objective keys and templates must exist when a contact names them; the conditions of a template may change.
        await putContent(database, team, earlier());
        for (const name of sequence) await steps[name]!();
        const [journey] = await journeysOf('p');
        expect(journey?.analytics_cache).toMatchObject({
          is_completed: false,
          pages_completed: [ids.objective, ids.type, ids.product, ids.set],
        });
        await act(journey!.slug, { type: 'page_viewed', page_id: ids.view });
        expect((await journeysOf('p'))[0]?.analytics_cache.is_completed).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('a part of the steps completes exactly what it brings about', async () => {
    const has = (sequence: readonly string[], ...wanted: string[]) => wanted.every((name) => sequence.includes(name));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names), async (sequence) => {
        await open();
        await putContent(database, team, documentOf());
        for (const name of sequence) await steps[name]!();
        const journeys = await journeysOf('p');
        expect(journeys).toHaveLength(has(sequence, 'the journey') ? 1 : 0);
        if (journeys.length === 0) return;
        const expected = [
          [ids.objective, 'the objective'],
          [ids.type, 'savings account', 'savings link'],
          [ids.product, 'deposit account'],
          [ids.set, 'car loan', 'car loan link'],
        ].filter(([, ...wanted]) => has(sequence, ...wanted));
        expect(journeys[0]?.analytics_cache.pages_completed).toEqual(expected.map(([id]) => id));
      }),
      { numRuns: 40 },
    );
  });
});
