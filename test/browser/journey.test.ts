import { describe, expect } from 'vitest';
import { campaign, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';
import { browserTest, desktop, open, phone, screens, withoutScripts } from './browser.ts';
import { block, going, pages, progressOf } from './welcome-campaign.ts';

const api = await service();

describe('a person goes from the address to the end', () => {
  browserTest.each(screens)('%s, each answer leading on', async (_, screen) => {
    const campaigned = await going();
    const journey = await campaigned.start({ name_first: 'Jana' });
    const progress = progressOf(campaigned, journey);
    const { page, seen } = await open(screen);

    await page.goto(journey.url);
    await expect.poll(progress).toEqual({ viewed: ['view'], completed: ['view'], is_completed: false });
    await page.getByRole('img', { name: '1 of 4 steps completed' }).waitFor();

    await page.getByRole('link', { name: 'Next: Agree' }).click();
    await page.getByText('No, thanks').click();
    await page.getByText('Nothing changes.').waitFor();
    // The script of the page listens once the page is loaded.
    await page.waitForLoadState();
    expect(await page.getByRole('button', { name: 'I agree' }).isVisible()).toBe(false);
    await page.getByText('Change your answer').click();
    await page.getByRole('button', { name: 'I agree' }).click();
    await expect.poll(progress).toEqual({ viewed: ['view', 'agree'], completed: ['view'], is_completed: false });
    const signature = page.getByLabel('Your full name');
    await page.getByText('Please type your name, with at least two letters.').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('typed_name');
    await signature.fill('Jana Novotna');
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.getByText('Thank you for agreeing.').waitFor();
    await expect.poll(progress).toMatchObject({ completed: ['view', 'agree'], is_completed: false });
    await page.locator('.saved:focus').waitFor();
    await page.getByRole('link', { name: 'See or change it' }).click();
    await page.getByText('We know.').waitFor();

    await page.getByRole('link', { name: 'Next: Act' }).click();
    const call = page.getByRole('link', { name: 'Call us' });
    await call.waitFor();
    await page.waitForLoadState();
    await call.dispatchEvent('click');
    await expect.poll(progress).toMatchObject({ completed: ['view', 'agree', 'act'], is_completed: false });

    await page.getByRole('link', { name: 'Next: Confirm' }).click();
    const confirm = page.getByRole('button', { name: 'Confirm' });
    await confirm.waitFor();
    await page.waitForLoadState();
    await confirm.click();
    await page.getByRole('heading', { name: 'You have completed every step' }).waitFor();
    await expect.poll(progress).toEqual({
      viewed: ['view', 'agree', 'act', 'confirm'],
      completed: ['view', 'agree', 'act', 'confirm'],
      is_completed: true,
    });
    await page.getByRole('link', { name: 'Survey' }).click();
    await page.getByText('4', { exact: true }).last().click();
    await expect.poll(async () => (await campaigned.analytics(journey)).is_completely_viewed).toBe(true);
    // The browser tells of the status of the form without the signature.
    expect(seen).toEqual({ outside: [], dialogs: [], complaints: [expect.stringContaining('422')], documents: 8 });
    expect(page.url()).not.toMatch(/Jana|Novotna/);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.viewport!.width);
  });

  browserTest('without scripts: views by an image, confirmations by a form', async () => {
    const campaigned = await going();
    const journey = await campaigned.start();
    const progress = progressOf(campaigned, journey);
    const { page, seen } = await open(withoutScripts);

    await page.goto(journey.url);
    await expect.poll(progress).toEqual({ viewed: ['view'], completed: ['view'], is_completed: false });
    await page.getByRole('link', { name: 'Next: Agree' }).click();
    await page.getByText('No, thanks').click();
    await page.getByText('Nothing changes.').waitFor();
    await page.getByText('Change your answer').click();
    await page.getByLabel('Your full name').fill('Jana Novotna');
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.getByText('Thank you for agreeing.').waitFor();
    await expect
      .poll(progress)
      .toEqual({ viewed: ['view', 'agree', 'act'], completed: ['view', 'agree'], is_completed: false });
    expect(page.url()).toBe(`${journey.url}?after=${pages.agree.id}`);
    await page.getByRole('button', { name: 'I have done this' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'You have completed every step' }).waitFor();
    await expect.poll(async () => (await campaigned.analytics(journey)).is_completed).toBe(true);
    expect([seen.outside, seen.dialogs, seen.complaints]).toEqual([[], [], []]);
  });

  browserTest('with the keyboard alone', async () => {
    const campaigned = await going();
    const journey = await campaigned.start();
    const { page } = await open(desktop);
    await page.goto(`${journey.url}?page=${pages.agree.id}`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Jana Novotna');
    await page.keyboard.press('Enter');
    await page.getByText('Thank you for agreeing.').waitFor();
    expect((await campaigned.analytics(journey)).pages_completed).toContain(pages.agree.id);
  });
});

describe('a page that is completed by being seen', () => {
  const text = (body: string) => ({ content_blocks: [block('text', { body })] });
  const survey = { content_blocks: [block('survey', { questions: [{ text: 'What do you think?' }] })] };

  /** Opens a page, which sends a request to this address. The request is held until it is released. */
  async function opened(address: string, pages: Parameters<typeof campaign>[1]) {
    const { start, analytics } = await campaign(api, pages);
    const journey = await start();
    const { page } = await open(desktop);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(address, async (route) => {
      await held;
      await route.continue();
    });
    const sent = page.waitForRequest(address);
    await page.goto(journey.url);
    await sent;
    return { page, release, isCompleted: async () => (await analytics(journey)).is_completed };
  }

  browserTest.each([
    ['reported', '**/actions'],
    ['loaded again', '**/*?page=*'],
  ])('takes nothing from the hands of whoever is at work on it when it is %s', async (_, address) => {
    const { page, release, isCompleted } = await opened(address, [testPage('view', survey)]);
    const field = page.getByLabel('What do you think?');
    await field.fill('A lot');
    release();
    await page.getByRole('img', { name: 'All steps completed' }).waitFor();
    await page.keyboard.type(' of it');
    expect(await field.inputValue()).toBe('A lot of it');
    expect(await isCompleted()).toBe(true);
  });

  browserTest('leaves a form that is being sent, so that its error is seen', async () => {
    const { page, release } = await opened('**/*?page=*', [testPage('view', survey)]);
    await page.getByLabel('What do you think?').fill('A lot');
    const { promise: isRenewed, resolve: renewed } = Promise.withResolvers<void>();
    const gateway = { status: 503, contentType: 'application/json', body: '{"message":"Service Unavailable"}' };
    await page.route('**/actions', (route) => isRenewed.then(() => route.fulfill(gateway)));
    await page.locator('.completion .button').click();
    // The browser takes the focus from a button that is disabled.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('BODY');
    release();
    await page.getByRole('img', { name: 'All steps completed' }).waitFor();
    renewed();
    await page.getByRole('alert').getByText('This could not be sent.').waitFor();
    expect(await page.getByLabel('What do you think?').inputValue()).toBe('A lot');
  });

  browserTest('follows a link that was pressed before it was loaded again', async () => {
    const next = testPage('view', { navigation_title: 'Your card', ...text('It is on its way.') });
    const { page, release } = await opened('**/*?page=*', [testPage('view', text('Good day.')), next]);
    await page.getByRole('link', { name: 'Next: Your card' }).hover();
    await page.mouse.down();
    const loaded = page.waitForResponse('**/*?page=*');
    release();
    await (await loaded).finished();
    // A page that does not wait for the release has replaced the link by then.
    await page.waitForTimeout(300);
    await page.mouse.up();
    await page.getByText('It is on its way.').waitFor();
  });
});

describe('a view', () => {
  browserTest.each([
    ['with scripts', desktop],
    ['without scripts', withoutScripts],
  ])('is reported when the page has been visible for two seconds, %s', async (_, screen) => {
    const { start, analytics } = await campaign(api, [testPage('view')]);
    const journey = await start();
    const { page } = await open(screen);
    const sent = page.waitForRequest(/actions$|viewed\.gif$/).then(() => Date.now());
    const begun = Date.now();
    await page.goto(journey.url);
    expect((await sent) - begun).toBeGreaterThan(1900);
    await expect.poll(async () => (await analytics(journey)).pages_viewed.length).toBe(1);
  });

  browserTest.each(['click', 'key'])('is reported at the first %s', async (how) => {
    const { start, analytics } = await campaign(api, [testPage('view')]);
    const journey = await start();
    const { page } = await open(desktop);
    // The style sheet reports it too. Without it, only the script does.
    await page.route('**/viewed.gif', (route) => route.abort());
    // Before the page loads: on a busy machine, two seconds pass before it could be paused.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 500);
    await page.goto(journey.url);
    expect((await analytics(journey)).pages_viewed).toEqual([]);
    await (how === 'key' ? page.keyboard.press('Tab') : page.getByRole('main').click());
    await expect.poll(async () => (await analytics(journey)).pages_viewed.length).toBe(1);
  });
});

describe('a form that cannot be recorded', () => {
  browserTest('keeps what was typed with scripts, and shows the reason', async () => {
    const journey = await (await going()).start();
    const { page } = await open(phone);
    await page.goto(`${journey.url}?page=${pages.agree.id}`);
    const name = page.getByLabel('Your full name');
    await name.fill('Jana Novotna');
    const gateway = { status: 413, contentType: 'application/json', body: '{"message":"Request Too Long"}' };
    await page.route('**/actions', (route) => route.fulfill(gateway));
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.getByRole('alert').getByText('This is too long to be sent.').waitFor();
    // What the gateway refuses is never shown as JSON.
    gateway.status = 403;
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.getByRole('alert').getByText('This could not be sent.').waitFor();
    expect(await name.inputValue()).toBe('Jana Novotna');
    await page.unroute('**/actions');
    await page.evaluate("document.querySelector('[name=type]').value = 'no_action'");
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.locator('.faults').getByText('This could not be sent.').waitFor();
    expect(await name.inputValue()).toBe('Jana Novotna');
    await page.getByRole('button', { name: 'I agree' }).click();
    await page.getByText('Thank you for agreeing.').waitFor();
  });
});
