import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { putContent } from '../support/content.ts';
import { journeyRequests, type Page, page, person, template } from '../support/journey-requests.ts';
import type { TestService, TestTeam } from '../support/service.ts';

const { api, team, pages, send, start, journeysOf, act, progress, journey } = await journeyRequests();

describe('a page completes', () => {
  test('by view when it is viewed', async () => {
    const { slug, contact_id } = await journey();
    await act(slug, 'page_viewed', pages.view.id);
    await act(slug, 'page_viewed', pages.confirm.id);
    expect((await progress(contact_id)).pages_completed).toEqual([pages.view.id]);
  });

  test('by confirm and by action when the journey page records it', async () => {
    const { slug, contact_id } = await journey();
    await act(slug, 'page_completed', pages.action.id);
    await act(slug, 'page_completed', pages.confirm.id);
    expect((await progress(contact_id)).pages_completed).toEqual([pages.confirm.id, pages.action.id]);
  });

  test('by objective when its objective is completed for the contact, before the journey or after', async () => {
    const objective = { id: randomUUID(), key: 'enrolled_online' };
    const target = page('objective', { objective_id: objective.id });
    const own = template('Enrol', [target]);
    await putContent(api.database, team.teamId, { objectives: [objective], templates: [own] });
    const before = { ...person(), enrolled_online: '2026-01-01' };
    const { body: first } = await send('POST', '/v1/contacts', before);
    await start(own, { contact: { id: first.id } });
    const after = await journey(own);
    expect((await progress(after.contact_id)).pages_completed).toEqual([]);
    await send('POST', '/v1/contacts', { unique_id: after.unique_id, enrolled_online: 'yes' });
    for (const id of [first.id, after.contact_id]) {
      expect(await progress(id)).toMatchObject({ is_completed: true, pages_completed: [target.id] });
    }
  });
});

describe('a page with the condition open', () => {
  const savings = { code: 'SAV', type: 'savings', standardized_type: 'money_market' };
  const loan = { code: 'LOAN', type: 'loan', standardized_type: 'auto_loan' };

  /** What the pages of a team of their own show, for a contact that has these accounts. */
  async function completedFor(
    features: Parameters<TestService['newTeam']>[0],
    held: (typeof savings)[],
    pagesFor: (productId: (code: string) => string) => Page[],
  ): Promise<boolean[]> {
    const own = await api.newTeam(features);
    await openAccounts(own, 'setup', [savings, loan]);
    const setup = await send('POST', '/v1/contacts', { unique_id: 'setup' }, own.token);
    const { body: known } = await send('GET', `/v1/contacts/${setup.body.id}/accounts`, undefined, own.token);
    const ids = new Map<string, string>(
      known.map(({ account: { product } }: { account: { product: { code: string; id: string } } }) => [
        product.code,
        product.id,
      ]),
    );
    const opened = pagesFor((code) => ids.get(code)!);
    const campaign = template('Open', opened);
    await putContent(api.database, own.teamId, { templates: [campaign] });
    // The account comes before the contact and its journey, and works all the same.
    await openAccounts(own, 'p', held);
    await start(campaign, { contact: { unique_id: 'p' } }, own.token);
    const { body: contact } = await send('POST', '/v1/contacts', { unique_id: 'p' }, own.token);
    const [found] = await journeysOf(contact.id, own.token);
    return opened.map(({ id }) => found.analytics_cache.pages_completed.includes(id));
  }

  async function openAccounts(own: TestTeam, unique_id: string, products: (typeof savings)[]) {
    if (products.length === 0) return;
    const records = products.map((product) => ({
      account_number: `${unique_id}-${product.code}`,
      contact: { unique_id },
      product,
    }));
    const { body } = await send('POST', '/v1/batches', { type: 'account', records }, own.token);
    for (let tries = 0; tries < 200; tries++) {
      const { body: batch } = await send('GET', `/v1/batches/${body.batch_id}`, undefined, own.token);
      if (batch.status === 'completed') return;
      await sleep(25);
    }
    throw new Error('the import did not complete');
  }

  const both = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;

  test('completes by whichever of product and type are set, for a team without the features', async () => {
    const completed = await completedFor([], [savings], (id) => [
      page('open', { completion_product_id: id('SAV') }),
      page('open', { completion_product_id: id('LOAN') }),
      page('open', { completion_product_type: 'savings' }),
      page('open', { completion_product_type: 'loan' }),
      page('open', { completion_product_id: id('SAV'), completion_product_type: 'savings' }),
      page('open', { completion_product_id: id('SAV'), completion_product_type: 'loan' }),
    ]);
    expect(completed).toEqual([true, false, true, false, true, false]);
  });

  test('completes by the product set where it applies, and by product and type where it is empty', async () => {
    const completed = await completedFor([...both], [savings], (id) => [
      page('open', { completion_product_ids: [id('LOAN'), id('SAV')] }),
      page('open', { completion_product_ids: [id('LOAN')], completion_product_type: 'savings' }),
      page('open', { completion_standardized_types: ['money_market'] }),
      page('open', { completion_standardized_types: ['auto_loan'] }),
      page('open', { completion_product_type: 'savings' }),
    ]);
    expect(completed).toEqual([true, false, true, false, true]);
  });

  test('does not complete without an account', async () => {
    expect(await completedFor([], [], () => [page('open', { completion_product_type: 'savings' })])).toEqual([false]);
  });
});

describe('is_completed', () => {
  test('follows when the last page with a condition completes', async () => {
    const { slug, contact_id } = await journey();
    await act(slug, 'page_completed', pages.confirm.id);
    await act(slug, 'page_viewed', pages.view.id);
    expect((await progress(contact_id)).is_completed).toBe(false);
    await act(slug, 'page_completed', pages.action.id);
    expect(await progress(contact_id)).toMatchObject({ is_completed: true, is_completely_viewed: false });
  });
});
