import { asks } from '../../lib/domain/campaigns/block-types.ts';
import type { GivenDocument } from '../../lib/domain/campaigns/document.ts';
import { hasTiming } from '../../lib/domain/campaigns/message-plan.ts';
import { isMarketing } from '../../lib/domain/messages/decide.ts';
import { defaultSenderOf, type Team } from '../../lib/domain/teams/team.ts';
import { isFilledText, isJsonObject } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { blocksWarnings } from './blocks.ts';
import { type GivenTemplate, warnIf } from './given.ts';
import { shownWarnings } from './placeholders.ts';
import { readingOf } from './shapes.ts';

type GivenTemplateMessage = GivenTemplate['template_messages'][number];
type GivenMessage = NonNullable<GivenTemplateMessage['message']>;

/** What would not be sent, or not be as it is meant, of the messages of a template (contract, section 15). */
export function messagesWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  return template.template_messages.flatMap((each, index) => {
    const { message } = each;
    const at = `${path}/template_messages/${index}`;
    if (message?.is_archived === true) return [];
    return [...timingWarnings(each, template, at), ...(message ? messageWarnings(message, each, `${at}/message`) : [])];
  });
}

function timingWarnings(each: GivenTemplateMessage, template: GivenTemplate, path: string): ErrorDetail[] {
  const { send_offset_hours: hours } = each;
  const { journey_duration_hours: duration } = template;
  return [
    ...warnIf(!hasTiming(each), path, 'is never due: write `send_offset_hours`, or `scheduled_at`'),
    ...warnIf(
      hours !== null && duration !== null && hours >= duration,
      `${path}/send_offset_hours`,
      `is never sent, because journeys end after ${duration} hours (\`journey_duration_hours\`)`,
    ),
  ];
}

function messageWarnings(message: GivenMessage, { content_variables }: GivenTemplateMessage, path: string) {
  if (message.type === 'sms')
    return [{ path: `${path}/type`, message: 'is not sent: messages of type sms are not sent yet (`channel_off`)' }];
  const { content_blocks: blocks, payload } = message;
  const given = isJsonObject(payload ?? undefined) ? (payload as { [name: string]: never }) : {};
  const variables = content_variables ?? {};
  const texts = ['subject', 'preview_text'].map((name) =>
    readingOf(given[name], { is: 'text' }, `${path}/payload/${name}`),
  );
  return [
    ...warnIf(!isFilledText(given.subject), `${path}/payload`, 'has no `subject`'),
    ...texts.flatMap((reading) => shownWarnings(reading, 'message', { variables })),
    ...warnIf(
      !hasLink(blocks),
      `${path}/content_blocks`,
      'has no link: add a button with the `url` "{{page_url}}" or "{{journey_url}}"',
    ),
    ...blocksWarnings(blocks, path, { condition: null, surface: 'message', variables }),
  ];
}

/** A block that asks for an answer leads to the page. */
const hasLink = (blocks: GivenMessage['content_blocks']): boolean =>
  blocks.some(({ type, data }) => asks(type) || linkPattern.test(JSON.stringify(data)));
const linkPattern = /https?:|\{\{\s*(?:journey_url|page_url)\s*[|}]/;

/** What the team lacks to send the messages of the document. */
export function senderWarnings(
  { templates }: Pick<GivenDocument, 'templates'>,
  team: Pick<Team, 'senders' | 'postal_address'>,
): ErrorDetail[] {
  const isDomainOnly = team.senders.length > 0 && defaultSenderOf(team) === undefined;
  return templates.flatMap(({ template_messages, email_sender_address }, index) => {
    const sent = template_messages.filter((each) => hasTiming(each) && each.message?.type !== 'sms');
    const isMissing = team.postal_address === null && sent.some(({ message }) => message && isMarketing({ message }));
    const path = `/templates/${index}/template_messages`;
    return [
      ...warnIf(
        sent.length > 0 && team.senders.length === 0,
        path,
        'are not sent, because the team has no sender: `team update --sender` sets one',
      ),
      ...warnIf(
        sent.length > 0 && isDomainOnly && email_sender_address === null,
        path,
        'are not sent, because the senders of the team are domains: write an address of one as `email_sender_address`',
      ),
      ...warnIf(
        isMissing,
        path,
        'are not sent, because the team has no postal address, which marketing needs: `team update --postal-address` sets it',
      ),
    ];
  });
}

/** Marketing that comes so close together that some of it is held back, even if no other campaign sends any. */
export function capWarnings(
  { templates }: Pick<GivenDocument, 'templates'>,
  { max_messages_a_week: most }: Pick<Team, 'max_messages_a_week'>,
): ErrorDetail[] {
  return templates.flatMap(({ template_messages }, index) => {
    const sent = template_messages.filter(
      ({ message }) => message && message.type !== 'sms' && isMarketing({ message }),
    );
    const hours = sent.flatMap(({ send_offset_hours: offset }) => offset ?? []);
    const scheduled = sent.flatMap(({ scheduled_at: at }) => (at === null ? [] : Date.parse(at) / 3_600_000));
    const count = Math.max(mostInAWeek(hours), mostInAWeek(scheduled));
    const message = `has ${count} marketing messages within seven days, and a contact gets ${most}: later ones are held back, and after 72 hours not sent`;
    return warnIf(count > most, `/templates/${index}/template_messages`, message);
  });
}

const mostInAWeek = (hours: readonly number[]): number =>
  Math.max(0, ...hours.map((first) => hours.filter((each) => each >= first && each < first + 7 * 24).length));
