import { once } from '../row.ts';
import type { World } from '../world.ts';

/** What the identity form asks for. */
export const proved = { birthdate: '1985-03-27', post_code: '94110' };
const answers = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: '94110' };

/** A journey page of a person: before a proof of identity, after wrong answers, and after the right ones. */
export const shownTo = once(async (world) => {
  const { team, ids } = world;
  const { slug } = await team.journey(ids.private, {
    ...proved,
    meta_public: { car: [{ make: 'Tatra' }], branch: 'north' },
    meta_private: { limit: 'seven thousand', cards: [{ name: 'Blue' }, { name: 'Gold' }] },
  });
  return seen(world, slug);
});

/** The page of a journey as the person sees it at each step. */
export async function seen({ team }: World, slug: string) {
  const page = async (cookie = '') => {
    const headers = cookie === '' ? {} : { cookie };
    return decoded((await team.open(200, `GET /j/${slug}`, undefined, headers)).text);
  };
  const before = await page();
  const form = (fields: object) => new URLSearchParams(fields as Record<string, string>);
  const wrong = await team.open(422, `POST /j/${slug}/identity`, form({ ...answers, post_code: '94112' }));
  const right = await team.open(303, `POST /j/${slug}/identity`, form(answers));
  const cookie = right.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { before, refused: decoded(wrong.text), after: await page(cookie), cookie };
}

const decoded = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
