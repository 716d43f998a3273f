import { type Attack, attack, type Extent, must } from './attack.ts';
import { patience, refused } from './refusals.ts';
import type { World } from './world.ts';

/** The token endpoint and the pages accept forms without a token. */
export function forms(world: World, extent: Extent): Attack[] {
  const { ours, send } = world;
  const form: [string, string] = ['content-type', 'application/x-www-form-urlencoded'];
  const many = extent === 'whole' ? 200_000 : 20_000;
  const credentials = `client_id=${ours.clientId}&client_secret=x`;
  const token = (name: string, body: string | Uint8Array, statuses: number[], headers: [string, string][] = [form]) =>
    attack('forms', `token: ${name}`, async () => {
      const answer = await send({ method: 'POST', target: '/oauth2/token', headers, body });
      refused(answer, statuses);
      must(!answer.text.includes('access_token'), 'a token was given');
    });
  const grant = 'grant_type=client_credentials';
  const page = (name: string, body: string, statuses: number[], end = 'actions') =>
    attack('forms', `page: ${name}`, async () => {
      const { status, milliseconds } = await send({
        method: 'POST',
        target: `/j/${ours.slug}/${end}`,
        headers: [form],
        body,
      });
      must(statuses.includes(status), `status ${status}, not ${statuses.join(' or ')}`);
      must(milliseconds < patience, `took ${Math.round(milliseconds)} ms`);
    });
  return [
    token('a wrong secret', `${grant}&${credentials}`, [401]),
    token('an empty secret', `${grant}&client_id=${ours.clientId}&client_secret=`, [400, 401]),
    token('no secret', `${grant}&client_id=${ours.clientId}`, [400, 401]),
    token('a parameter twice', `${grant}&${credentials}&client_id=x`, [400]),
    token('the secret twice', `${grant}&${credentials}&client_secret=${ours.clientSecret}`, [400]),
    token('another grant', `grant_type=password&${credentials}`, [400]),
    token(
      'parameters in brackets',
      `${grant}&client_id[]=${ours.clientId}&client_secret[]=${ours.clientSecret}`,
      [400, 401],
    ),
    token(
      'an object for a secret',
      JSON.stringify({ grant_type: 'client_credentials', client_id: ours.clientId, client_secret: { $ne: null } }),
      [400],
      [['content-type', 'application/json']],
    ),
    token(
      'two ways at once',
      `${grant}&client_id=${ours.clientId}&client_secret=${ours.clientSecret}`,
      [400],
      [form, ['authorization', `Basic ${btoa(`${ours.clientId}:${ours.clientSecret}`)}`]],
    ),
    token('broken percent-encoding', `${grant}&client_id=%zz&client_secret=%`, [400, 401]),
    token('over 16 KB', `${grant}&${credentials}&x=${'x'.repeat(16 * 1024)}`, [413]),
    token('parameters without end', `${grant}&${'a=&'.repeat(many)}`, [413]),
    token(
      'a file',
      '--x\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\nclient_credentials\r\n--x--',
      [400, 415],
      [['content-type', 'multipart/form-data; boundary=x']],
    ),
    page('over 16 KB', `type=page_viewed&page_id=${ours.pageId}&x=${'x'.repeat(16 * 1024)}`, [413]),
    page('parameters without end', 'a=&'.repeat(many), [413]),
    page('no page', 'type=page_viewed', [422]),
    page('an unknown type', `type=journey_completed&page_id=${ours.pageId}`, [422]),
    page('a type of the prototype', `type=__proto__&page_id=${ours.pageId}`, [422]),
    page('a page that is a path', 'type=page_viewed&page_id=..%2f..%2f', [404, 422]),
  ];
}
