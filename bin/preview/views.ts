import type { ContentBlock } from '../../lib/domain/campaigns/block.ts';
import { blockTypeName } from '../../lib/domain/campaigns/block-types.ts';
import type { LinkedContent } from '../../lib/domain/campaigns/link.ts';
import type { TemplatePage } from '../../lib/domain/campaigns/page.ts';
import type { Template } from '../../lib/domain/campaigns/template.ts';
import { translated } from '../../lib/domain/campaigns/translate.ts';
import type { Contact } from '../../lib/domain/contacts/contact.ts';
import type { ShownAnswer } from '../../lib/domain/journeys/answer.ts';
import { identityNeed } from '../../lib/domain/journeys/identity-need.ts';
import { fill, noValues, type Values } from '../../lib/domain/journeys/placeholders.ts';
import { namedQuestions } from '../../lib/domain/journeys/survey.ts';
import { teamFeatures } from '../../lib/domain/teams/team.ts';
import { isFilledText } from '../../lib/domain/values/json.ts';
import type { RefusedForm } from '../../lib/web/blocks/context.ts';
import { renderChannelContent } from '../../lib/web/channel/content.ts';
import type { WebPage } from '../../lib/web/document.ts';
import { renderEnding } from '../../lib/web/journey/ending.ts';
import { renderIdentityPage } from '../../lib/web/journey/identity.ts';
import { endingName } from '../../lib/web/journey/input.ts';
import { renderJourneyPage } from '../../lib/web/journey/page.ts';
import { valuesOf } from '../../lib/web/journey/values.ts';
import { renderNotice } from '../../lib/web/notice.ts';
import { team } from './content.ts';
import { sampleContact, sampleJourney } from './sample.ts';

/** The states of a journey that the preview shows. */
export const states = [
  'new',
  'answered',
  'before the proof',
  'not sent',
  'identity',
  'identity error',
  'pause',
  'expired',
  'archived',
  'not open',
  'unknown page',
] as const;
export type State = (typeof states)[number];

export type View = {
  template: number;
  /** One of `states`; for other texts there is no page. */
  state: string;
  language: string | undefined;
  page: string | undefined;
  /** Changes the texts of the template that is shown. @param language of its translation, if it is one */
  texts?: (shown: Template, original: Template, language: string | undefined) => Template;
};

/** The languages of a template: its own, and those of its translations. */
export const languagesOf = ({ language, translations }: Template): string[] => [
  language ?? 'en',
  ...Object.keys(translations ?? {}),
];

const at = '2026-01-01T09:00:00Z';
/** Whose values the preview shows. */
export const previewed: Contact = sampleContact(at);
const url = 'https://onboarding.example/j/preview';

export function viewOf(content: LinkedContent, contact: Contact, view: View): WebPage | undefined {
  const { state, page } = view;
  const original = content.templates[view.template];
  if (!original || !(states as readonly string[]).includes(state)) return undefined;
  const { inLanguage, translation, language } = translatedInto(original, view.language);
  const template = view.texts?.(inLanguage, original, translation) ?? inLanguage;
  const sender = { team, template };
  if (state === 'expired' || state === 'archived') return renderNotice(state, language, { sender });
  if (state === 'not open') return renderNotice('unavailable', language, { sender });
  if (state === 'unknown page')
    return renderNotice('no_page', language, { sender: { ...sender, journey: { slug: 'preview' } } });
  if (['identity', 'identity error', 'pause'].includes(state)) return identityView(template, language, state);
  return pageView(template, contact, { state, language, page });
}

/** The template as pages show it in the language. `translation`: the language, if it is that of a translation. */
function translatedInto(original: Template, wanted: string | undefined) {
  const isOther = wanted !== undefined && Object.hasOwn(original.translations ?? {}, wanted);
  return isOther
    ? { inLanguage: translated(original, wanted).template, translation: wanted, language: wanted }
    : { inLanguage: original, translation: undefined, language: original.language };
}

function identityView(template: Template, language: string | null, state: string): WebPage {
  const wrong = { missing: ['birthdate'] as const, typed: { birth_day: '30', birth_month: '2', birth_year: '1990' } };
  return renderIdentityPage({
    ...{ language, template, teamName: team.name, slug: 'preview', journeyUrl: url, pageId: undefined },
    ...{ facts: ['birthdate', 'post_code'], isOptional: false },
    lock: state === 'pause' ? { wait: 15 * 60_000 } : undefined,
    ...(state === 'identity error' ? wrong : {}),
  });
}

type PageView = { state: string; language: string | null; page: string | undefined };

function pageView(template: Template, contact: Contact, { state, language, page }: PageView): WebPage | undefined {
  const { analytics, ...journey } = sampleJourney(
    template,
    { contact, accounts: [] },
    { features: teamFeatures, now: at },
  );
  const { pages } = journey;
  const isDone = state === 'answered';
  const isEnding = page === endingName;
  const shown = page === undefined || isEnding ? pages[0] : pages.find((each) => each.page.id === page);
  if (!shown) return undefined;
  const proved = { journeyUrl: url, isIdentityValidated: state !== 'before the proof' };
  const values = valuesOf({ ...proved, contact, account: undefined, template, shown });
  const answered = !isDone ? [] : isEnding ? pages : [shown];
  const answers = answered.flatMap(({ page: { id, content_blocks } }) =>
    content_blocks.flatMap((block) => answerOf(block, id, values)),
  );
  const actions = isDone ? pages.map((each) => ({ kind: 'completed' as const, page_id: each.page.id, at })) : [];
  const render = isDone && isEnding ? renderEnding : renderJourneyPage;
  return render({
    ...{ ...journey, ...proved, language, shown, answers, account: undefined },
    analytics: analytics(actions),
    refused: state === 'not sent' ? refusedFormOf(shown) : undefined,
    identityNeed: identityNeed({ ...template, is_auth_required: null }, shown, shown === pages[0]),
  });
}

/** A form of the page that could not be recorded. */
const refusedFormOf = ({ page: { content_blocks } }: TemplatePage): RefusedForm => {
  const block = content_blocks.find((each) => answerOf(each, '').length > 0);
  const name = { answer: 'accepted', typed_name: 'Alex Sample' };
  const answer = blockTypeName(block?.type ?? null) === 'survey' ? {} : name;
  return { fields: { ...(block ? { block_id: block.id, ...answer } : {}) }, message: 'unsent' };
};

const typedSamples = { number: '12', date: '2026-01-31' } as const;

/** A sample answer to a block that asks. */
function answerOf(block: ContentBlock, page_id: string, values: Values = noValues): ShownAnswer[] {
  const { id, type, data } = block;
  const name = blockTypeName(type);
  const common = { id, page_id, block_id: id, at };
  if (name === 'survey') {
    const given = namedQuestions(block, values).map(({ key, name, type: kind, offered: [first] }) => ({
      key,
      question: name,
      value: first ? fill(first.text, values) : kind === undefined ? '…' : typedSamples[kind],
    }));
    return [{ ...common, answer: null, values: given }];
  }
  const isAsked = ['agreement', 'agree_disagree', 'signature', 'confirm', 'confirmation'].includes(name);
  const isSigned = isFilledText(data?.signatureBoxText);
  const text = isFilledText(data?.agreementText) ? { text: fill(data.agreementText, values) } : {};
  return isAsked ? [{ ...common, ...text, answer: 'accepted', typed_name: isSigned ? 'Alex Sample' : null }] : [];
}

/** The content of a channel, for the page with that id, or its default content. */
export function channelView(
  content: LinkedContent,
  contact: Contact,
  place: { channel: number; template: number; page: string; language: string | undefined },
): WebPage | undefined {
  const channel = content.engagement_channels[place.channel];
  if (!channel) return undefined;
  const original = content.templates[place.template];
  const own = original && translatedInto(original, place.language);
  const template = own?.inLanguage;
  const shown = template?.template_pages.find(({ page }) => page.id === place.page);
  const container = shown?.page.content_containers.find((each) => each.engagement_channel_id === channel.id);
  const offered = template &&
    shown &&
    container && {
      ...{ template, shown, container, contact, account: undefined },
      ...{ isCompleted: false, answers: new Map() },
      ...{ identityNeed: undefined, address: '/c/preview', journeyUrl: url, around: [] },
    };
  const language = own?.language ?? null;
  return renderChannelContent({ language, channel, teamName: team.name, frameAncestors: "'self'", offered });
}
