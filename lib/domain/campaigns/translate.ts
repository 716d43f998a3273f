import type { Contact } from '../contacts/contact.ts';
import { languageFor, type Team } from '../teams/team.ts';
import { isJsonObject } from '../values/json.ts';
import { acceptedLanguages, availableLanguage } from '../values/language.ts';
import { blockShapeOf, question } from './block-types.ts';
import { namesOf } from './shape.ts';
import type { Template } from './template.ts';

type Fields = Omit<Template, 'team'>;

/** A template in the language that is shown to a person, and that language. */
export type Localized = { template: Template; language: string | null; translate: (text: string) => string };

/**
 * Chooses the language: the contact's `language` in `meta_public`, else one that the browser accepts, among the language
 * of the template and its translations. A template without translations has one language only.
 */
export function localized(
  template: Template,
  team: Team,
  contact: Pick<Contact, 'meta_public'>,
  acceptLanguage: string | undefined,
): Localized {
  const own = languageFor(template, team);
  const asIs = { template, language: own, translate: (text: string) => text };
  const wished = wishedLanguage(template, team, contact, acceptLanguage);
  const language = Object.keys(template.translations ?? {}).find((each) => each === wished);
  return language === undefined ? asIs : translated(template, language);
}

/** The language of the template for which the contact, or else the browser, asks. `undefined` if it has none of them. */
export function wishedLanguage(
  template: Template,
  team: Team,
  contact: Pick<Contact, 'meta_public'>,
  acceptLanguage?: string | undefined,
): string | undefined {
  const wish = contact.meta_public?.language;
  const wishes = [...(typeof wish === 'string' ? [wish] : []), ...acceptedLanguages(acceptLanguage)];
  return availableLanguage([languageFor(template, team) ?? 'en', ...Object.keys(template.translations ?? {})], wishes);
}

/**
 * The template in each of its languages, first in the one that was shown to the person.
 * @param chosen the template in the language that is chosen for the person now
 * @param shownIn the language in which a page was shown, if that is known. An unknown one means the template's
 */
export function inAllLanguages(
  template: Template,
  team: Team,
  chosen: Template,
  shownIn: string | undefined,
): Template[] {
  const { translations } = template;
  const languages = Object.keys(translations ?? {});
  const others = languages.map((language) => translated(template, language).template);
  const named =
    shownIn === undefined
      ? undefined
      : availableLanguage([languageFor(template, team) ?? 'en', ...languages], [shownIn]);
  const first = shownIn === undefined ? chosen : (others[languages.indexOf(named ?? '')] ?? template);
  return [...new Set([first, chosen, template, ...others])];
}

/** Content does not change while it is cached, so each translation is made once. */
const made = new WeakMap<Template, Map<string, Localized>>();

/** The template in the language of one of its translations. A text without a translation stays as it is. */
export function translated(template: Template, language: string): Localized {
  const known = made.get(template) ?? new Map<string, Localized>();
  made.set(template, known);
  const before = known.get(language);
  if (before) return before;
  const texts = template.translations?.[language] ?? {};
  const translate = (text: string) => (Object.hasOwn(texts, text) ? texts[text]! : text);
  const result = { template: withTexts(template, translate), language, translate };
  known.set(language, result);
  return result;
}

type Change = (text: string, path: string) => string;

/**
 * A copy of the template with every text replaced that a page or a message can show.
 * @param path JSON Pointer of the template, which the paths of the texts begin with
 */
export function withTexts<Given extends Pick<Fields, TextField>>(template: Given, change: Change, path = ''): Given {
  const { journey_title_options: title, template_pages, template_messages, content_blocks } = template;
  const at = (name: string) => `${path}/${name}`;
  return {
    ...template,
    name: textIn(template.name, change, at('name')),
    logo_file_id: textIn(template.logo_file_id, change, at('logo_file_id')),
    footer_content: textsIn(template.footer_content, change, at('footer_content')),
    support_owner_options: textsIn(template.support_owner_options, change, at('support_owner_options')),
    ending: textsIn(template.ending, change, at('ending')) as Given['ending'],
    journey_title_options: title && {
      ...title,
      custom: textIn(title.custom, change, at('journey_title_options/custom')),
    },
    content_blocks: blocksIn(content_blocks, change, path),
    template_pages: template_pages.map((each, index) => pageIn(each, change, at(`template_pages/${index}`))),
    template_messages: template_messages.map((each, index) =>
      messageIn(each, change, at(`template_messages/${index}`)),
    ),
  };
}

type TextField =
  | 'name'
  | 'logo_file_id'
  | 'footer_content'
  | 'support_owner_options'
  | 'ending'
  | 'journey_title_options'
  | 'content_blocks'
  | 'template_pages'
  | 'template_messages';

type TemplatePage = Fields['template_pages'][number];

function pageIn<Given extends TemplatePage>(given: Given, change: Change, path: string): Given {
  // In a document for import, a page can be given by its id only.
  if (!given.page) return given;
  const { page, content_variables } = given;
  const at = (name: string) => `${path}/page/${name}`;
  return {
    ...given,
    content_variables: textsIn(content_variables, change, `${path}/content_variables`),
    page: {
      ...page,
      navigation_title: textIn(page.navigation_title, change, at('navigation_title')),
      content_name: textIn(page.content_name, change, at('content_name')),
      completion_message: textIn(page.completion_message, change, at('completion_message')),
      content: textsIn(page.content, change, at('content')),
      cta: textsIn(page.cta, change, at('cta')),
      content_blocks: blocksIn(page.content_blocks, change, `${path}/page`),
      content_containers: page.content_containers.map((container, index) => ({
        ...container,
        content_blocks: blocksIn(container.content_blocks, change, at(`content_containers/${index}`)),
      })),
    },
  };
}

type TemplateMessage = Fields['template_messages'][number];

function messageIn<Given extends TemplateMessage>(given: Given, change: Change, path: string): Given {
  // In a document for import, a message can be given by its id only.
  if (!given.message) return given;
  const { message, content_variables } = given;
  return {
    ...given,
    content_variables: textsIn(content_variables, change, `${path}/content_variables`),
    message: {
      ...message,
      payload: payloadIn(message.payload, change, `${path}/message/payload`),
      content_blocks: blocksIn(message.content_blocks, change, `${path}/message`),
    },
  };
}

/** Changes what people read of the payload of a message. */
function payloadIn<Payload>(payload: Payload, change: Change, path: string): Payload {
  if (!isJsonObject(payload)) return payload;
  const texts = ['subject', 'preview_text'].filter((name) => typeof payload[name] === 'string');
  return {
    ...payload,
    ...Object.fromEntries(texts.map((name) => [name, textsIn(payload[name], change, `${path}/${name}`)])),
  };
}

type AnyBlock = { type: string | null; data: unknown };

const blocksIn = <Block extends AnyBlock>(blocks: readonly Block[], change: Change, path: string): Block[] =>
  blocks.map((block, index) => ({ ...block, data: dataIn(block, change, `${path}/content_blocks/${index}/data`) }));

/** Changes the texts in the order in which a page shows the fields, because translators read them in this order. */
function dataIn({ type, data }: AnyBlock, change: Change, path: string): unknown {
  if (!isJsonObject(data)) return data;
  const { fields } = blockShapeOf(type);
  const shown = Object.keys(fields).flatMap((name) => namesOf(fields, name));
  const names = new Set([...shown.filter((name) => Object.hasOwn(data, name)), ...Object.keys(data)]);
  const ordered = Object.fromEntries([...names].map((name) => [name, data[name]]));
  const changed = textsIn(ordered, change, path, keyNames);
  return Object.fromEntries(Object.keys(data).map((name) => [name, changed[name]]));
}

const textIn = (text: string | null, change: Change, path: string): string | null =>
  text === null ? null : change(text, path);

/** The members of blocks that name questions and options. They are the same in every language. */
const keyNames = [...namesOf(question.fields, 'key'), 'formerKeys'];

/** Changes all texts in the value, at any depth, but not the names of its members, and not those members. */
function textsIn<Value>(value: Value, change: Change, path: string, without: readonly string[] = []): Value {
  const within = (each: unknown, name: string | number) => textsIn(each, change, `${path}/${name}`, without);
  if (typeof value === 'string') return change(value, path) as Value;
  if (Array.isArray(value)) return value.map(within) as Value;
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as object);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, without.includes(name) ? each : within(each, name)]),
  ) as Value;
}
