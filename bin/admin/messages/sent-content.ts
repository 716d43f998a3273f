import { linked } from '../../../lib/domain/campaigns/link.ts';
import { sentContent } from '../../../lib/domain/messages/content.ts';
import type { SendRecord } from '../../../lib/domain/messages/record.ts';
import { urlAt } from '../../../lib/domain/values/url.ts';
import { renderContent } from '../../../lib/email/rendering.ts';
import { loadStoredContent, shownTeamOf } from '../../../lib/store/campaigns/content.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import type { Installation } from '../installation.ts';
import { contentToExport } from '../operations/campaigns/content.ts';

/**
 * What was sent: the content of the revision, with the values that were kept with the message. A later import of the
 * campaign changes neither. The links to unsubscribe are left out, because they are the contact's.
 * @returns `undefined` if nothing was sent, or the revision does not have the message
 */
export async function contentSent(
  { database, baseUrl }: Pick<Installation, 'database' | 'baseUrl'>,
  teamId: string,
  { revision, values, template_id, template_message_id }: SendRecord,
): Promise<{ subject: string; from: string; text: string; html: string } | undefined> {
  if (revision === null || values === null) return undefined;
  const [document, { document: global }, team] = await Promise.all([
    contentToExport(database, teamId, revision),
    loadStoredContent(database, globalTeam),
    loadTeam(database, teamId),
  ]);
  if (!document || !team) return undefined;
  const { templates } = linked(document, global, { teamId, team: shownTeamOf(team) });
  const template = templates.find(({ id }) => id === template_id);
  const message = template?.template_messages.find(({ id }) => id === template_message_id);
  if (!template || !message) return undefined;
  const rendering = renderContent(sentContent({ template, message, team }, values), {
    ...{ team, timeZone: null, unsubscribe: urlAt(baseUrl, '/m/preview'), baseUrl },
  });
  if ('fault' in rendering) return undefined;
  const { subject, from, text, html } = rendering.mail;
  return { subject, from: from.address, text, html };
}
