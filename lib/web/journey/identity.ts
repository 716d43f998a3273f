import type { Template } from '../../domain/campaigns/template.ts';
import type { OwnWords } from '../../domain/campaigns/values.ts';
import { type Answers, type FactName, isUnanswered } from '../../domain/contacts/identity-facts.ts';
import type { Lock } from '../../domain/journeys/identity-attempts.ts';
import { journeyPath } from '../../domain/journeys/journey.ts';
import { noValues } from '../../domain/journeys/placeholders.ts';
import { isFilledText, isJsonObject } from '../../domain/values/json.ts';
import { brand, preview } from '../brand.ts';
import { contentCss, frameCss } from '../css/base.ts';
import { identityCss } from '../css/identity.ts';
import { partsCss } from '../css/parts.ts';
import { renderDocument, type WebPage } from '../document.ts';
import { type Child, type Html, html } from '../html.ts';
import { reach } from '../reach.ts';
import { type Words, wordsIn } from '../words/words.ts';
import { footer } from './frame.ts';
import { identityScript } from './identity-scripts.ts';
import { lookOf } from './theme.ts';

/** The input for the page with the identity questions. */
export type IdentityPageInput = {
  /** Language of the page's own words, as BCP 47. English if it is `null` or has no catalogue. */
  language: string | null;
  teamName: string;
  teamWords?: OwnWords | null;
  template: Template;
  slug: string;
  /** The absolute URL of the journey. */
  journeyUrl: string;
  /** The page that needs the proof. Undefined if the whole journey needs it. */
  pageId: string | undefined;
  /** The two facts to ask for. Empty if fewer than two are on file. */
  facts: readonly FactName[];
  lock: Lock | undefined;
  /** After a failed attempt: the facts without a valid answer. If empty, the answers do not match. */
  missing?: readonly FactName[];
  /** What the person typed, which stays in the fields. */
  typed?: Answers;
  /** True if the person can return to a page without the proof. */
  isOptional: boolean;
};

export function renderIdentityPage(page: IdentityPageInput): WebPage {
  const { template, lock, facts, missing, teamName } = page;
  const words = wordsIn(page.language).with(page.teamWords, template.words);
  const input = { ...page, words };
  const heading = lock || facts.length === 0 ? blockedHeading(input) : words.text('identity_title');
  const body = html`<a class="skip" href="#main">${words.text('skip_to_content')}</a>
<header class="top"><div class="frame"><div>${brand(teamName, template)}<h1>${heading}</h1></div></div></header>
<div class="frame body asks"><main id="main" tabindex="-1"><div class="sheet"><div class="stage"><div class="check">${
    lock || facts.length === 0 ? blocked(input) : questions(input)
  }</div></div></div></main></div>
${footer(template, { ...noValues, teamName, templateName: template.name ?? undefined, direction: words.direction }, words)}`;
  const told = missing && !lock ? words.text('error_title', { title: heading }) : heading;
  const look = lookOf(template);
  const css = look.css + contentCss + partsCss(String(body)) + frameCss + identityCss;
  // The page does not name the campaign before the proof, because the name can reveal what the person has.
  const head = preview(teamName, { ...template, name: null }, page.journeyUrl, look.iconFile);
  return renderDocument({ words, head, title: `${told} · ${teamName}`, css, body, script: identityScript });
}

type Input = IdentityPageInput & { words: Words };

const blockedHeading = ({ words, facts }: Input): string =>
  words.text(facts.length === 0 ? 'identity_impossible_title' : 'identity_blocked_title');

function blocked(input: Input): Child {
  const { words, teamName, template, facts, lock, missing } = input;
  const ways = reach(template, teamName, words, 'h2');
  const options = template.support_owner_options;
  const name = isJsonObject(options) ? options.name : undefined;
  const team = isFilledText(name) ? name : teamName;
  const isLocked = lock?.wait === null;
  const kind = facts.length === 0 ? 'identity_impossible' : isLocked ? 'identity_locked' : 'identity_paused';
  const wait = html`<strong data-wait="${Math.ceil((lock?.wait ?? 0) / 1000)}">${waitInWords(lock?.wait ?? 0, words)}</strong>`;
  return html`<div${missing && html` role="alert" tabindex="-1" autofocus`}><p>${words.parts(kind, { wait })}</p><p>${words.text(`${kind}_contact`, { team })}</p></div>${ways}${back(input)}`;
}

/** An absolute path, because the questions also have their own URL. */
const addressOf = ({ slug, pageId }: Input): string => `${journeyPath(slug)}?page=${pageId}`;

const back = (input: Input): Child =>
  input.isOptional &&
  html`<p class="go"><a class="quiet" href="${addressOf(input)}">${input.words.text('identity_back')}</a></p>`;

/** Rounded up, so that a person does not try again too early. @param wait milliseconds */
function waitInWords(wait: number, words: Words): string {
  const minutes = Math.max(1, Math.ceil(wait / 60_000));
  return minutes <= 90 ? words.plural('wait_minutes', minutes) : words.plural('wait_hours', Math.ceil(minutes / 60));
}

function questions(input: Input): Html {
  const { words, slug, pageId, facts, teamName: team, missing = [], isOptional } = input;
  const why = words.text(isOptional ? 'identity_for_page' : 'identity_for_journey', { team });
  return html`${summary(input)}<div class="ask"><div><p>${why}</p><p class="note">${words.text('identity_not_kept')}</p></div>
<form method="post" action="${journeyPath(slug)}/identity" autocomplete="on" novalidate data-sending="${words.text('sending')}" data-unsent="${words.text('unsent')}">${
    pageId !== undefined && html`<input type="hidden" name="page" value="${pageId}">`
  }${facts.map((fact) => field(fact, input, faultOf(fact, input, missing)))}<div class="go"><button class="button">${words.text('identity_continue')}</button>${
    isOptional && html`<a class="quiet" href="${addressOf(input)}">${words.text('identity_without')}</a>`
  }</div><p class="unsent" role="alert"></p></form></div>`;
}

/** What is wrong with the answer to a fact. */
function faultOf(fact: FactName, { words, typed = {} }: Input, missing: readonly FactName[]): string | undefined {
  if (!missing.includes(fact)) return undefined;
  if (isUnanswered(fact, typed)) return words.text(`enter_${fact}`);
  if (fact === 'birthdate' || fact === 'post_code') return words.text(`wrong_${fact}`);
  return words.text('wrong_phone');
}

/** Takes the focus, so that screen readers read it first. Its links lead to the fields. */
function summary(input: Input): Child {
  const { words, missing, typed = {} } = input;
  if (!missing) return undefined;
  const links = missing.map(
    (fact) => html`<li><a href="#${inputOf(fact, words)}">${faultOf(fact, input, missing)}</a></li>`,
  );
  const kind =
    missing.length === 0 ? 'mismatch' : missing.some((fact) => isUnanswered(fact, typed)) ? 'missing' : 'invalid';
  const said = kind === 'mismatch' ? html`<p>${words.text('identity_mismatch')}</p>` : html`<ul>${links}</ul>`;
  return html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${words.text(`identity_${kind}_title`)}</h2>${said}</div>`;
}

/** The id of the first input of a fact. */
const inputOf = (fact: FactName, words: Words): string =>
  fact === 'birthdate' ? `birth_${words.dateOrder[0]}` : fact === 'post_code' ? 'post_code' : 'phone';

function field(fact: FactName, { words, typed = {} }: Input, fault: string | undefined): Html {
  const id = inputOf(fact, words);
  const isInvalid = fault !== undefined;
  const kind = isInvalid ? 'field wrong' : 'field';
  const shown = isInvalid && html`<span class="fault" id="${id}-fault">${fault}</span>`;
  const described = [`${id}-hint`, ...(isInvalid ? [`${id}-fault`] : [])].join(' ');
  const hint = html`<span class="hint" id="${id}-hint">${hintOf(fact, words)}</span>`;
  const label = words.text(`fact_${fact}`);
  if (fact === 'birthdate') {
    const parts = words.dateOrder.map((part) => datePart(part, { isInvalid, words, typed }));
    return html`<fieldset class="${kind}" aria-describedby="${described}"><legend>${label}</legend>${hint}${shown}<div class="date">${parts}</div></fieldset>`;
  }
  const own = fact === 'post_code' ? postCode : phone;
  return html`<div class="${kind}"><label for="${id}">${label}</label>${hint}${shown}${input(id, { ...own, described, isInvalid, value: typed[own.name] })}</div>`;
}

const postCode = { name: 'post_code', autocomplete: 'postal-code', inputmode: 'text', maxlength: 12 } as const;
const phone = { name: 'phone', autocomplete: 'off', inputmode: 'numeric', maxlength: 20 } as const;

function hintOf(fact: FactName, words: Words): string {
  if (fact === 'post_code') return words.text('hint_post_code');
  if (fact === 'birthdate') return words.text('hint_birthdate', { date: exampleDate(words) });
  const number = [555, '010', 1234].map((part) => digits(part, words)).join(' ');
  return words.text('hint_phone', { number, digits: digits(1234, words) });
}

const digits = (text: string | number, words: Words): string =>
  [...String(text)].map((digit) => words.number(Number(digit))).join('');

/** An example date in the order of the fields, which is from right to left in some languages. */
function exampleDate(words: Words): string {
  const example = { day: '27', month: '03', year: '1985' };
  const date = words.dateOrder.map((part) => digits(example[part], words)).join(' / ');
  return words.direction === 'rtl' ? `\u200f${date}` : date;
}

type DateField = { isInvalid: boolean; words: Words; typed: Answers };

function datePart(part: 'day' | 'month' | 'year', { isInvalid, words, typed }: DateField): Html {
  const id = `birth_${part}`;
  const maxlength = part === 'year' ? 4 : 2;
  return html`<div${maxlength > 2 && html` class="long"`}><label for="${id}">${words.text(part)}</label>${input(id, { isInvalid, value: typed[id], autocomplete: `bday-${part}`, inputmode: 'numeric', maxlength })}</div>`;
}

type InputOptions = {
  described?: string;
  isInvalid: boolean;
  value: string | undefined;
  autocomplete: string;
  inputmode: string;
  maxlength: number;
};

const input = (id: string, { described, isInvalid, value, autocomplete, inputmode, maxlength }: InputOptions): Html =>
  html`<input type="text" id="${id}" name="${id}" autocomplete="${autocomplete}" inputmode="${inputmode}" maxlength="${maxlength}" spellcheck="false"${
    value !== undefined && value !== '' && html` value="${value.slice(0, maxlength)}"`
  }${described !== undefined && html` aria-describedby="${described}"`}${isInvalid && html` aria-invalid="true"`}>`;
