import type { TemplateMessage } from '../../domain/campaigns/message.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { plainParagraphsOf } from '../../domain/journeys/markup.ts';
import { fill, type Values } from '../../domain/journeys/placeholders.ts';
import type { Team } from '../../domain/teams/team.ts';
import { pathOfNamedFile } from '../../domain/teams/team-file.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import { urlAt } from '../../domain/values/url.ts';
import { emailTheme } from '../css/theme.ts';
import { sourcesOf } from '../journey/theme.ts';
import { safeUrl } from '../links.ts';
import { type Words, wordsIn } from '../words/words.ts';
import { type FootPart, htmlOf } from './html.ts';
import { type Part, partsOf } from './parts.ts';
import { textOfParts } from './text.ts';

/** Bytes of HTML from which on mail programs cut off the end of a message. */
const longest = 102_000;

export type EmailTeam = Pick<Team, 'name' | 'postal_address' | 'timezone' | 'words'>;

export type EmailInput = {
  team: EmailTeam;
  /** In the language of the message, with the message itself. */
  template: Template;
  message: TemplateMessage;
  /** BCP 47. English if it is `null` or has no catalogue. */
  language: string | null;
  /** Time zone of the contact. */
  timeZone: string | null;
  /** For the placeholders, with the variables of the message. */
  values: Values;
  /** `unsubscribe` is left out of transactional messages, which cannot be unsubscribed from. */
  links: { page: string; unsubscribe: string | undefined };
  /** Base URL of images. */
  baseUrl: string;
};

export type RenderedEmail = { subject: string; html: string; text: string };
export type EmailRendering = RenderedEmail | { fault: 'too_large' };

/** A message of a campaign as an email, in its theme and language. It shows nothing private. */
export function renderEmail(input: EmailInput): EmailRendering {
  const { team, template, message, language, timeZone, values, links, baseUrl } = input;
  const words = wordsIn(language, timeZone, team.timezone).with(team.words, template.words);
  const { subject, preview } = subjectOf(input);
  const why = words.text(message.message.is_transactional === true ? 'mail_why_service' : 'mail_why_news', {
    team: team.name,
  });
  const context = { words, pageUrl: links.page, baseUrl };
  const blocks = message.message.content_blocks;
  const parts = (direction: Words['direction'] | undefined) =>
    partsOf(blocks, { ...context, values: { ...values, direction } });
  const logo = pathOfNamedFile(template.logo_file_id);
  return documentOf({
    ...{ words, subject, preview, why, unsubscribe: links.unsubscribe, baseUrl, team, template },
    ...{ parts: parts(words.direction), plain: parts(undefined) },
    logo: logo === undefined ? undefined : urlAt(baseUrl, logo),
  });
}

/** Subject and preview text, of a message without a subject the name of its campaign. */
function subjectOf({ team, template, message, values }: Pick<EmailInput, 'team' | 'template' | 'message' | 'values'>) {
  const payload = isJsonObject(message.message.payload) ? message.message.payload : {};
  const filled = (name: string) => {
    const text = payload[name];
    const line = typeof text === 'string' ? fill(text, { ...values, direction: undefined }) : '';
    return line.replaceAll(/\s+/g, ' ').trim() || undefined;
  };
  const subject = filled('subject') ?? template.name ?? team.name;
  return { subject, preview: filled('preview_text') };
}

export type VerificationInput = {
  team: EmailTeam & Pick<Team, 'privacy_policy_url' | 'terms_of_service_url'>;
  /** The campaign whose look it has. */
  template: Template | undefined;
  language: string | null;
  /** URL of the page that verifies the address. */
  url: string;
  baseUrl: string;
};

/** The message with the link that verifies an address. */
export function renderVerification({ team, template, language, url, baseUrl }: VerificationInput): RenderedEmail {
  const words = wordsIn(language).with(team.words, template?.words);
  const values = { team: team.name };
  const subject = words.text('mail_verify_title');
  const logo = pathOfNamedFile(template?.logo_file_id);
  const parts: Part[] = [
    { is: 'heading', text: subject },
    { is: 'text', text: plainParagraphsOf(words.text('mail_verify_body', values)) },
    { is: 'button', label: words.text('mail_verify_button'), url },
  ];
  const why = words.text('mail_verify_why', values);
  const rendered = documentOf({
    ...{ words, subject, preview: undefined, why, unsubscribe: undefined, baseUrl, team, template },
    ...{ parts, plain: parts, logo: logo === undefined ? undefined : urlAt(baseUrl, logo) },
  });
  if ('fault' in rendered) throw new Error('the message that verifies an address is too large');
  return rendered;
}

type Parts = {
  words: Words;
  subject: string;
  preview: string | undefined;
  /** Why the person gets the message. */
  why: string;
  unsubscribe: string | undefined;
  team: EmailTeam;
  template: Template | undefined;
  parts: readonly Part[];
  /** The same with values that are not isolated. */
  plain: readonly Part[];
  logo: string | undefined;
};

function documentOf({
  words,
  subject,
  preview,
  parts,
  plain,
  logo,
  ...of
}: Parts & { baseUrl: string }): EmailRendering {
  const { team, template } = of;
  const foot = footOf(of, words);
  const theme = emailTheme(template ? sourcesOf(template) : []);
  const html = htmlOf({ words, theme, subject, preview, sender: { name: team.name, logo }, parts, foot });
  if (Buffer.byteLength(html) > longest) return { fault: 'too_large' };
  const below = foot.map((part) =>
    'text' in part ? part.text : part.links.map(({ label, url }) => `${label}: ${url}`).join('\n'),
  );
  const text = [textOfParts(plain), '-- ', ...below].join('\n\n');
  // Programs that show text do not always know the characters that isolate a value.
  return { subject, html, text: `${text.replaceAll(/[\u2066-\u2069]/g, '')}\n` };
}

/** The institution, its address, why the person gets the message, and the way out. */
function footOf(
  { team, template, why, unsubscribe }: Omit<Parts, 'words' | 'parts' | 'plain' | 'subject' | 'preview' | 'logo'>,
  words: Words,
): FootPart[] {
  const links = [
    { label: words.text('mail_unsubscribe_button'), url: unsubscribe },
    { label: words.text('privacy'), url: template?.team?.privacy_policy_url ?? undefined },
    { label: words.text('terms'), url: template?.team?.terms_of_service_url ?? undefined },
  ].flatMap(({ label, url }) => {
    const safe = url === undefined ? undefined : safeUrl(url);
    return safe === undefined ? [] : [{ label, url: safe }];
  });
  const whose = team.postal_address === null ? team.name : `${team.name}\n${team.postal_address}`;
  return [{ text: why }, { text: whose }, ...(links.length > 0 ? [{ links }] : [])];
}
