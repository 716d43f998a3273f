import { expect } from 'vitest';
import { morningPage } from '../../bin/admin/morning/morning-page.ts';
import { shownTeam } from '../../bin/admin/morning/morning-text.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext } from './browser.ts';

const teamId = '0b0d0000-0000-4000-8000-000000000001';
const team = { team_id: teamId, expected: [], files: [], started: [], forecast: null };
const message = `${teamId}/contacts/a-very-long-name-${'x'.repeat(80)}.csv: failed: it is cut off <in> quotes`;
const finding = { about: 'files' as const, message, next: ['drop', 'show', `${teamId}/contacts/it's.csv`] };
const started = [{ template_id: teamId, name: 'Welcome', day: '2027-01-31', started: 12 }];
const page = morningPage(
  [
    shownTeam({ ...team, name: 'Cedar Valley', needs_attention: true, findings: [finding] }, 'Onboarding-prod'),
    shownTeam({ ...team, name: 'Harbor', needs_attention: false, findings: [], started }, undefined),
  ],
  { since: '2027-01-30T07:00:00.000Z', until: '2027-01-31T07:00:00.000Z' },
);

browserTest.each(['light', 'dark'] as const)(
  'the page of the morning is readable at 320 px, %s, without a script, and axe finds nothing',
  async (colorScheme) => {
    const context = await newContext({ viewport: { width: 320, height: 640 }, colorScheme });
    const shown = await context.newPage();
    await shown.setContent(page);
    expect(await axeFindings(shown)).toEqual([]);
    expect(await shown.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    const text = String(await shown.evaluate('document.querySelector("main").innerText'));
    expect(page).not.toContain('<script');
    expect(text).toContain(message);
    expect(text).toContain('npm run admin -- drop show');
    expect(text).toContain('--stack Onboarding-prod');
    expect(text).toContain('12 journeys started: 12 by "Welcome" (2027-01-31)');
  },
);
