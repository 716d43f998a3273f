import { isPublished } from '../../domain/completion.ts';
import { blockKindOf, question } from '../../domain/content/block-types.ts';
import { namesOf } from '../../domain/content/shape.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { blocksOf } from './classes.ts';
import type { GivenBlock, GivenTemplate } from './given.ts';
import { comparable } from './invisible.ts';
import { endsOf, optionNames, questionNames } from './questions.ts';
import { termsOf } from './terms.ts';

/**
 * Texts of one list that are the same in a translation only: questions of a survey, options of a question, ends of a
 * scale, labels of terms and titles of pages. @param path of the template
 */
export function equalTranslationWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const lists = [...blocksOf(template).flatMap((block) => [...listsOf(block), labelsOf(block)]), titlesOf(template)];
  return Object.entries(template.translations ?? {}).flatMap(([language, given]) => {
    const found = lists.flatMap(({ texts, message }) =>
      repeatedIn(texts, given).map(({ text, other }) => ({
        path: `${path}/translations${pointer([language, text])}`,
        message: message(other),
      })),
    );
    return [...new Map(found.map((each) => [each.path, each])).values()];
  });
}

const listNames = namesOf(question.fields, 'options');

type Texts = { texts: string[]; message(other: string): string };

const labelsOf = (block: GivenBlock): Texts => ({
  texts: termsOf(block).map(({ label }) => label),
  message: (other) =>
    `is also the translation of "${other}", another label of the terms: people cannot tell them apart`,
});

const titlesOf = ({ template_pages }: GivenTemplate): Texts => ({
  texts: template_pages.flatMap(({ page }) => (page && isPublished(page) ? (page.navigation_title ?? []) : [])),
  message: (other) =>
    `is also the translation of "${other}", the title of another page: people cannot tell the steps apart`,
});

function listsOf({ type, data }: GivenBlock): Texts[] {
  const questions = data?.questions;
  if (blockKindOf(type) !== 'survey' || !Array.isArray(questions)) return [];
  const options = questions.map((each) =>
    isJsonObject(each) ? listNames.map((name) => each[name]).find((list) => (list ?? null) !== null) : [],
  );
  return [
    {
      texts: textsOf(questions, questionNames),
      message: (other) =>
        `is also the translation of "${other}", another question of the survey: people cannot tell them apart`,
    },
    ...questions.map((each) => ({
      texts: endsOf(each),
      message: (other: string) => `is also the translation of "${other}", the other end of the scale`,
    })),
    ...options.map((each) => ({
      texts: textsOf(Array.isArray(each) ? each : [], optionNames),
      message: (other: string) =>
        `is also the translation of "${other}", another option of the question: people cannot tell them apart`,
    })),
  ];
}

const textsOf = (values: readonly JsonValue[], names: readonly string[]): string[] =>
  values.flatMap((value) => {
    const text = isJsonObject(value) ? names.map((name) => (value as JsonObject)[name]).find(isFilledText) : value;
    return isFilledText(text) ? [text] : [];
  });

/** Texts whose translation is also that of an earlier text of the list, which is different. */
function repeatedIn(texts: readonly string[], translations: Readonly<Record<string, string>>) {
  const shown = texts.map((text) => comparable(Object.hasOwn(translations, text) ? translations[text]! : text));
  return texts.flatMap((text, index) => {
    const other = texts[shown.indexOf(shown[index]!)]!;
    const isRepeated =
      comparable(other) !== comparable(text) && Object.hasOwn(translations, text) && shown[index] !== '';
    return isRepeated ? [{ text, other }] : [];
  });
}
